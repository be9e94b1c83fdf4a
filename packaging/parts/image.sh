# shellcheck shell=bash
# The image for containers, by Jib: from nothing, with the C library of this Debian and the Java of the other packages.
# shellcheck disable=SC2154 # packaging/build sets the variables

image_packages=(libc6 zlib1g)
# Of libc6 what a program needs at run time: no locales, no programs, no tables of old character sets.
image_libraries='/(ld-linux-x86-64\.so\.2|lib(c|m|dl|pthread|rt|resolv|nss_dns|nss_files|z)\.so\.[0-9.]+)$'

make_image() {
    local tree=$work/image file=lrwp-$version-amd64.tar
    if [ "$arch" != amd64 ]; then
        say "the image is for amd64 and this machine is $arch: it is left out"
        return
    fi
    say 'making the image'
    stage_libraries "$tree/system"
    mkdir -p "$tree/runtime/usr/lib/lrwp" "$tree/application/usr/lib/lrwp" "$tree/application/etc/lrwp" "$out/image"
    cp -RL "$work/home/runtime" "$tree/runtime/usr/lib/lrwp/"
    cp -R "$work/home/java" "$work/home/LICENSE" "$work/home/NOTICE" "$tree/application/usr/lib/lrwp/"
    sed 1,3d "$root/proxy-webapp/src/main/webapp/WEB-INF/lrwp-sample.properties" >"$tree/application/etc/lrwp/lrwp.properties"
    write_sbom "$file" "pkg:oci/lrwp?arch=amd64&tag=$version" "${home_bill[@]:0:6}" --debian "${image_packages[@]}"
    cp "$out/sbom/$file.cdx.json" "$tree/application/usr/lib/lrwp/sbom.cdx.json"
    # Jib asks for the classes of a project; this one has none.
    mkdir -p "$work/jib/target/classes"
    cp "$here/image/pom.xml" "$work/jib/"
    (cd "$work/jib" && JAVA_HOME=$jdk mvn -B -ntp -q jib:buildTar -Dlrwp.version="$version" -Dlrwp.tree="$tree" \
        -Dlrwp.time="$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)" -Dlrwp.tar="$out/image/$file" \
        -DsendCredentialsOverHttp=false -Djib.disableUpdateChecks=true) >"$work/jib.log" 2>&1 </dev/null || {
        cat "$work/jib.log" >&2
        refuse 'the image could not be made'
    }
}

# Libraries, an account without privileges, and a folder for temporary files.
stage_libraries() {
    local tree=$1 package file
    for package in "${image_packages[@]}"; do
        dpkg-query -L "$package:$arch" | grep -E "$image_libraries" | while IFS= read -r file; do
            # Where /lib is a link to usr/lib the file is listed below /lib.
            mkdir -p "$tree$(dirname "$file")"
            cp -L "$file" "$tree$file"
        done || refuse "Debian's package $package is not installed"
        install -D -m 644 "/usr/share/doc/$package/copyright" "$tree/usr/share/doc/$package/copyright"
    done
    mkdir -p "$tree/etc" "$tree/tmp" "$tree/var/lib/lrwp"
    printf 'root:x:0:0:root:/:/nonexistent\nlrwp:x:10001:10001:lrwp:/var/lib/lrwp:/nonexistent\n' >"$tree/etc/passwd"
    printf 'root:x:0:\nlrwp:x:10001:\n' >"$tree/etc/group"
    printf 'passwd: files\ngroup: files\nhosts: files dns\n' >"$tree/etc/nsswitch.conf"
}
