# shellcheck shell=bash
# The tree of a distribution's package, and the Debian package.
# shellcheck disable=SC2154 # packaging/build sets the variables

# /usr and /etc of an installed package, without what belongs to one distribution.
stage_system() {
    local tree=$1 etc=$1/etc/lrwp man=$1/usr/share/man page
    mkdir -p "$tree/usr/lib" "$tree/usr/bin" "$etc" "$man/man1" "$man/man5" "$tree/usr/lib/systemd/system" \
        "$tree/etc/logrotate.d" "$tree/usr/share/bash-completion/completions"
    cp -R "$work/home" "$tree/usr/lib/lrwp"
    rm "$tree/usr/lib/lrwp/LICENSE" "$tree/usr/lib/lrwp/NOTICE" "$tree/usr/lib/lrwp/CHANGELOG.md"
    ln -s ../lib/lrwp/lrwp "$tree/usr/bin/lrwp"
    ln -s ../lib/lrwp/bin/lrwp-connect "$tree/usr/bin/lrwp-connect"
    install -m 644 "$here"/systemd/*.service "$tree/usr/lib/systemd/system/"
    install -m 644 "$here/lrwp.logrotate" "$tree/etc/logrotate.d/lrwp"
    install -m 644 "$root/build-tools/lrwp-completion.bash" "$tree/usr/share/bash-completion/completions/lrwp"
    install -m 644 "$root/proxy-webapp/src/main/webapp/WEB-INF/lrwp-sample.properties" "$etc/lrwp.properties"
    sed -i 1,3d "$etc/lrwp.properties"
    install -m 644 "$here"/etc/* "$etc/"
    for page in osp download events cache; do
        python3 "$here/defaults.py" "$root/docs/$page.md" >"$etc/$page.conf"
    done
    python3 "$here/manpages.py" --version "$version" --properties "$etc/lrwp.properties" \
        --launcher "$root/lrwp" --connect "$work/home/bin/lrwp-connect" --output "$man"
    gzip -9n "$man"/man?/*
}

make_deb() {
    local tree=$work/deb file=lrwp_${version//-/\~}_$arch.deb docs=$work/deb/usr/share/doc/lrwp
    say 'making the Debian package'
    stage_system "$tree"
    mkdir -p "$tree/DEBIAN" "$docs"
    cp "$root/LICENSE" "$docs/copyright"
    cp "$root/NOTICE" "$docs/"
    gzip -9n <"$root/CHANGELOG.md" >"$docs/changelog.gz"
    write_sbom "$file" "pkg:deb/lrwp@${version//-/\~}?arch=$arch" "${home_bill[@]}"
    cp "$out/sbom/$file.cdx.json" "$tree/usr/lib/lrwp/sbom.cdx.json"
    install -m 755 "$here"/debian/* "$tree/DEBIAN/"
    (cd "$tree" && find etc -type f -printf '/%p\n' | sort) >"$tree/DEBIAN/conffiles"
    (cd "$tree" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$tree/DEBIAN/md5sums"
    write_control "$tree" >"$work/control"
    install -m 644 "$work/control" "$tree/DEBIAN/control"
    find "$tree" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
    dpkg-deb --root-owner-group -Zxz -z6 --build "$tree" "$out/$file" >/dev/null
}

write_control() {
    cat <<TEXT
Package: lrwp
Version: ${version//-/\~}
Architecture: $arch
Maintainer: The LRWP project <lrwp@localhost>
Installed-Size: $(du -ks --apparent-size --exclude=DEBIAN "$1" | cut -f 1)
Depends: bash, libc6 (>= 2.34), passwd, zlib1g
Recommends: logrotate
Section: httpd
Priority: optional
Description: HTTP proxy that programs dial in to
 Programs in any language dial in over TCP, register a URL context and get
 the HTTP requests below it over that connection. With its own Java.
TEXT
}
