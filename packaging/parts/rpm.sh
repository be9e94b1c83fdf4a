# shellcheck shell=bash
# The RPM, from the same tree as the Debian package.
# shellcheck disable=SC2154 # packaging/build sets the variables

make_rpm() {
    local tree=$work/rpm/tree file cpu
    cpu=$(uname -m)
    file=lrwp-${version//-/\~}-1.$cpu.rpm
    say 'making the RPM'
    stage_system "$tree"
    mkdir -p "$tree/usr/share/doc/lrwp" "$tree/usr/share/licenses/lrwp" "$out/rpm"
    cp "$root/LICENSE" "$root/NOTICE" "$tree/usr/share/licenses/lrwp/"
    cp "$root/CHANGELOG.md" "$tree/usr/share/doc/lrwp/"
    write_sbom "$file" "pkg:rpm/lrwp@${version//-/\~}-1?arch=$cpu" "${home_bill[@]}"
    cp "$out/sbom/$file.cdx.json" "$tree/usr/lib/lrwp/sbom.cdx.json"
    find "$tree" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
    rpm_files "$tree" >"$work/rpm/files"
    rpmbuild -bb --quiet --target "$cpu" --define "_topdir $work/rpm/top" --define "_rpmdir $out/rpm" \
        --define '_build_name_fmt %%{NAME}-%%{VERSION}-%%{RELEASE}.%%{ARCH}.rpm' --define '_buildhost lrwp.invalid' \
        --define 'use_source_date_epoch_as_buildtime 1' --define 'clamp_mtime_to_source_date_epoch 1' \
        --define '_binary_payload w6.xzdio' --define "lrwp_version ${version//-/\~}" --define "lrwp_tree $tree" \
        --define "lrwp_files $work/rpm/files" "$here/rpm/lrwp.spec" >"$work/rpm.log" 2>&1 || {
        cat "$work/rpm.log" >&2
        refuse 'the RPM could not be made'
    }
}

# What the package owns: all files, and the folders that no other package has.
rpm_files() {
    (cd "$1" && find etc -type f -printf '%%config(noreplace) "/%p"\n' | sort
        find usr -not -type d -printf '"/%p"\n' | sort
        find etc/lrwp usr/lib/lrwp usr/share/doc/lrwp usr/share/licenses/lrwp -type d -printf '%%dir "/%p"\n' | sort)
}
