# shellcheck shell=bash
# lrwp-connect, and the tree with its own Java that most packages have.
# shellcheck disable=SC2154 # packaging/build sets the variables

jars=(proxy-server osp-sample-peer peer-modules/download peer-modules/cache peer-modules/events)
# What the proxy, GlassFish and the peers use, and jcmd and the flight recorder for whoever looks into them.
java_modules=java.se,jdk.unsupported,jdk.crypto.ec,jdk.crypto.cryptoki,jdk.zipfs,jdk.naming.dns,jdk.management
java_modules+=,jdk.management.agent,jdk.jfr,jdk.jcmd,jdk.net,jdk.security.auth,jdk.httpserver,jdk.nio.mapmode,jdk.charsets
# What draws on screens and with fonts, which no server does; Debian's headless Java leaves out most of it too.
java_left_out=libawt_xawt.so,libfontmanager.so,libfreetype.so,libjawt.so,libjsound.so,libsplashscreen.so
connect_targets=(linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64)

make_connect() {
    local target os cpu name sources=$work/go
    cp -R "$root/peers/go" "$sources"
    "$here/version" --of "$version" "$sources/lrwp.go"
    mkdir -p "$out/connect"
    for target in "${connect_targets[@]}"; do
        os=${target%/*} cpu=${target#*/}
        name=lrwp-connect-$version-$os-$cpu
        [ "$os" != windows ] || name=$name.exe
        (cd "$sources" && CGO_ENABLED=0 GOOS=$os GOARCH=$cpu GOFLAGS=-mod=readonly \
            go build -trimpath -buildvcs=false -ldflags='-s -w -buildid=' -o "$out/connect/$name" ./cmd/lrwp-connect)
        write_sbom "$name" "pkg:golang/lrwp.org/go/lrwp@v$version#cmd/lrwp-connect" --go "$out/connect/$name"
    done
    connect=$out/connect/lrwp-connect-$version-linux-$arch
}

# The bill of the whole Java build: what is known of each jar. target/bom.json may be that of a few modules.
java_bill() {
    local bill=$root/target/package-bom.json
    if [ ! -f "$bill" ] || [ -n "$(cd "$root" && git ls-files -z '*pom.xml' | xargs -0 -I '{}' find '{}' -newer "$bill" -print)" ]; then
        say 'making the bill of materials'
        (cd "$root" && JAVA_HOME=$jdk mvn -B -ntp -q org.cyclonedx:cyclonedx-maven-plugin:makeAggregateBom -DoutputName=package-bom \
            -DoutputFormat=json) >&2 </dev/null || refuse 'the bill of materials of the Java parts could not be made'
    fi
    printf '%s\n' "$bill"
}

# The tree of the tar.gz, which the Debian package has below /usr/lib/lrwp.
stage_home() {
    local home=$1 module bill
    mkdir -p "$home/java/lib" "$home/bin" "$home/osp-sample-peer"
    install -m 755 "$root/lrwp" "$home/lrwp"
    install -m 755 "$connect" "$home/bin/lrwp-connect"
    cp -R "$root/osp-sample-peer/samples" "$home/osp-sample-peer/samples"
    cp "$root/LICENSE" "$root/NOTICE" "$root/CHANGELOG.md" "$home/"
    for module in "${jars[@]}"; do
        install -m 644 "$root/$module/target/${module##*/}.jar" "$home/java/"
        python3 "$here/class_path.py" "$root/$module/target/${module##*/}.jar" | tr '\n' '\0' |
            xargs -0 install -m 644 -t "$home/java/lib/"
    done
    cp -R "$root/proxy-server/target/proxy-webapp" "$home/java/proxy-webapp"
    install -m 644 "$root/proxy-server/src/main/jvm/inlining" "$home/java/"
    python3 "$here/trim_jars.py" "$home/java/lib"
    bill=$(java_bill)
    say 'making the Java runtime'
    "$jdk/bin/jlink" --add-modules "$java_modules" --strip-debug --no-header-files --no-man-pages --compress zip-6 \
        --exclude-files="**/${java_left_out//,/,**/}" --output "$home/runtime"
    home_bill=(--jars "$home/java/lib" --maven "$bill" --runtime "$home/runtime" --go "$home/bin/lrwp-connect")
}

make_tar() {
    local name=lrwp-$version-linux-$arch
    say 'making the tar.gz'
    mkdir -p "$work/tar"
    cp -R "$work/home" "$work/tar/$name"
    write_sbom "$name.tar.gz" "pkg:generic/lrwp@$version?arch=$arch" "${home_bill[@]}"
    cp "$out/sbom/$name.tar.gz.cdx.json" "$work/tar/$name/sbom.cdx.json"
    archive "$work/tar" "$name" | gzip -9n >"$out/$name.tar.gz"
}
