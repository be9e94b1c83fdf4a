# shellcheck shell=bash
# What all packages share: which are made, archives, bills of materials.
# shellcheck disable=SC2154 # packaging/build sets the variables

# What a part needs beside what all need, and where Debian has it.
tool_of() {
    case $1 in
    npm) echo npm ;;
    rpm) echo rpmbuild ;;
    image) echo mvn ;;
    esac
}

package_of() {
    case $1 in
    rpmbuild) echo rpm ;;
    mvn) echo maven ;;
    *) echo "$1" ;;
    esac
}

# A part that was asked for by name needs its tool; of all parts those without one are left out.
choose_parts() {
    local part tool chosen=''
    for part in ${parts:-${all_parts[@]}}; do
        [[ " ${all_parts[*]} " == *" $part "* ]] || refuse "there is no part $part: there are ${all_parts[*]}"
        tool=$(tool_of "$part")
        if [ -z "$tool" ] || command -v "$tool" >/dev/null 2>&1; then
            chosen+=" $part"
        elif [ -n "$parts" ]; then
            refuse "part $part needs $tool (Debian package $(package_of "$tool"))"
        else
            say "$tool is missing (Debian package $(package_of "$tool")): part $part is left out"
        fi
    done
    parts=$chosen
}

wanted() {
    [[ " $parts " == *" $1 "* ]]
}

# Python's builder of packages and the library for bills of materials, in versions that are fixed.
install_tools() {
    tools=$root/target/package-tools
    if ! cmp -s "$here/requirements.txt" "$tools/requirements.txt"; then
        rm -rf "$tools"
        mkdir -p "$root/target"
        python3 -m venv "$tools" || refuse "Python's module venv is missing (Debian package python3-venv)"
        "$tools/bin/python" -m pip install --quiet --no-input --disable-pip-version-check \
            --requirement "$here/requirements.txt" ||
            refuse 'the tools could not be installed: the first run needs a registry of Python packages'
        cp "$here/requirements.txt" "$tools/"
    fi
}

# Same names, owners, order and times in each archive.
archive() {
    tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --format=gnu -C "$1" -cf - "$2"
}

# The bill of materials of a package: its file, its purl, then what is in it.
write_sbom() {
    local file=$1 purl=$2
    shift 2
    mkdir -p "$out/sbom"
    "$tools/bin/python" "$here/sbom.py" --version "$version" --purl "$purl" --output "$out/sbom/$file.cdx.json" "$@"
}
