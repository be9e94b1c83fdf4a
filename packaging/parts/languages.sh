# shellcheck shell=bash
# What registries of other languages take: a wheel and a source package for Python, a tarball for npm.
# shellcheck disable=SC2154 # packaging/build sets the variables

# A copy of a library without tests' leftovers, with the licence that a package has to carry, in the version asked for.
stage_library() {
    local tree=$2
    mkdir -p "$tree"
    git -C "$root" ls-files -z "$1" | while IFS= read -r -d '' file; do
        install -D -m 644 "$root/$file" "$tree/${file#"$1"/}"
    done
    install -m 644 "$root/LICENSE" "$root/NOTICE" "$tree/"
    "$here/version" --of "$version" "$tree/$3"
    find "$tree" -exec touch -d "@$SOURCE_DATE_EPOCH" {} +
}

make_python() {
    local tree=$work/python file name
    say 'making the wheel and the source package for Python'
    stage_library peers/python "$tree" pyproject.toml
    "$tools/bin/python" -m build --no-isolation --outdir "$out/python" "$tree" >"$work/python.log" 2>&1 || {
        cat "$work/python.log" >&2
        refuse 'the packages for Python could not be built'
    }
    for file in "$out"/python/*; do
        name=$(basename "$file")
        write_sbom "$name" "pkg:pypi/lrwp@$("$here/version" --python "$version")?file_name=$name"
    done
}

make_npm() {
    local tree=$work/npm
    say 'making the tarball for npm'
    stage_library peers/javascript "$tree" package.json
    mkdir -p "$out/npm"
    (cd "$tree" && npm pack --silent --ignore-scripts --pack-destination "$out/npm" >"$work/npm.log" 2>&1) || {
        cat "$work/npm.log" >&2
        refuse 'the tarball for npm could not be made'
    }
    write_sbom "lrwp-$version.tgz" "pkg:npm/lrwp@$version"
}
