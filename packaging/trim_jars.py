#!/usr/bin/env python3
"""Leaves out of the jars of a folder what an installed proxy never loads; docs/install.md has the reasons."""

import pathlib
import platform
import sys
import zipfile

# Parts of GlassFish that the proxy's web application cannot reach: it has no entities, no SOAP or REST services, no JSP
# pages, no message queue, no database of the server's own and no OpenID. What GlassFish loads for any application stays:
# with KEPT left out it does not start, or warns at each start.
GLASSFISH = (
    "com/nimbusds/",
    "com/sun/jdo/",
    "com/sun/tools/",
    "com/sun/xml/",
    "__cp_jdbc_ra.rar",
    "__dm_jdbc_ra.rar",
    "__ds_jdbc_ra.rar",
    "__xa_jdbc_ra.rar",
    "jmsra.rar",
    "lib/winsw.exe",
    "org/apache/derby/",
    "org/apache/xml/security/",
    "org/eclipse/persistence/",
    "org/eclipse/tags/",
    "org/eclipse/yasson/",
    "org/glassfish/jersey/",
    "org/netbeans/",
    "org/openide/",
)
KEPT = ("com/sun/xml/ws/policy/PolicyException", "com/sun/xml/wss/provider/wsit/", "org/glassfish/jersey/server/mvc/jsp/")
SQLITE_NATIVE = "org/sqlite/native/"
PROCESSORS = {"x86_64": ("x86_64", "amd64"), "aarch64": ("aarch64",)}


def unwanted(jar):
    """Says for a jar by name which of its entries to leave out, or None when it stays as it is."""
    if jar.startswith("glassfish-embedded-all-"):
        return lambda entry: entry.startswith(GLASSFISH) and not entry.startswith(KEPT)
    if jar.startswith("sqlite-jdbc-"):
        kept = f"{SQLITE_NATIVE}Linux/{platform.machine()}/"
        return lambda entry: entry.startswith(SQLITE_NATIVE) and not kept.startswith(entry) and not entry.startswith(kept)
    return None


def is_for_another_processor(jar):
    """Says for a jar by name whether it has nothing but a library that this machine cannot load."""
    native = jar.startswith(("native-linux-", "zstd-jni-"))
    others = [name for machine, names in PROCESSORS.items() if machine != platform.machine() for name in names]
    return native and any(name in jar for name in others)


def without_gone(services, leaves_out):
    """A service file without the providers that are left out."""
    lines = services.decode().splitlines(keepends=True)
    return "".join(line for line in lines if not leaves_out(line.strip().replace(".", "/") + ".class")).encode()


def trim(path, leaves_out):
    """Writes the jar anew; names, order and times of what stays are those of the original."""
    small = path.with_suffix(".new")
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(small, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as new:
        if any(entry.filename.endswith(".SF") for entry in old.infolist()):
            sys.exit(f"trim_jars: {path.name} is signed: leave it whole")
        for entry in old.infolist():
            if not leaves_out(entry.filename):
                kept = zipfile.ZipInfo(entry.filename, entry.date_time)
                kept.compress_type = zipfile.ZIP_STORED if entry.is_dir() else zipfile.ZIP_DEFLATED
                kept.external_attr = entry.external_attr
                content = b"" if entry.is_dir() else old.read(entry)
                if entry.filename.startswith("META-INF/services/"):
                    content = without_gone(content, leaves_out)
                new.writestr(kept, content)
    small.replace(path)


def main():
    """Trims the jars of the folder that the command line names."""
    for path in sorted(pathlib.Path(sys.argv[1]).glob("*.jar")):
        if is_for_another_processor(path.name):
            path.unlink()
            continue
        leaves_out = unwanted(path.name)
        if leaves_out:
            trim(path, leaves_out)


main()
