#!/usr/bin/env python3
"""Writes the bill of materials (CycloneDX 1.6, JSON) of one package: what is really in it, the same for the same content."""

import argparse
import datetime
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import uuid

from cyclonedx.model import HashAlgorithm, HashType
from cyclonedx.model.bom import Bom, BomMetaData
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.license import DisjunctiveLicense, LicenseExpression
from cyclonedx.output import make_outputter
from cyclonedx.schema import OutputFormat, SchemaVersion
from packageurl import PackageURL


def sha256(path):
    return HashType(alg=HashAlgorithm.SHA_256, content=hashlib.sha256(path.read_bytes()).hexdigest())


def component(purl, licence=None, kind=ComponentType.LIBRARY, **more):
    """A component whose name and version are those of its purl."""
    return Component(
        type=kind,
        group=purl.namespace,
        name=purl.name,
        version=purl.version,
        purl=purl,
        bom_ref=purl.to_string(),
        licenses=[licence] if licence else [],
        **more,
    )


def file_name(known):
    """The name of a Maven component's jar."""
    classifier = PackageURL.from_string(known["purl"]).qualifiers.get("classifier")
    return f"{known['name']}-{known['version']}{'-' + classifier if classifier else ''}.jar"


def jars(folder, maven):
    """The jars of a folder, each with what Maven knows of it; its sum is that of the file as it is here."""
    with open(maven, encoding="utf-8") as file:
        bill = json.load(file)
    known = {}
    for one in [bill["metadata"]["component"], *bill["metadata"]["component"].get("components", []), *bill["components"]]:
        known[file_name(one)] = one
    for path in sorted(pathlib.Path(folder).glob("*.jar")):
        # The classes of the WAR are in the bill as the WAR itself.
        one = known.get(path.name) or known.get(path.name.removesuffix("-classes.jar") + ".jar")
        if one is None:
            sys.exit(f"sbom: {path.name} is not in {maven}: build all modules, or delete that file")
        licences = [part.get("license", {}) for part in one.get("licenses", [])]
        made = component(PackageURL.from_string(one["purl"]), description=one.get("description"), hashes=[sha256(path)])
        made.licenses = [DisjunctiveLicense(id=part.get("id"), name=part.get("name")) for part in licences if part]
        yield made


def runtime(folder):
    """The Java that the package has."""
    release = dict(re.findall(r'^(\w+)="(.*)"$', (pathlib.Path(folder) / "release").read_text(), re.M))
    vendor = release.get("IMPLEMENTOR", "unknown")
    purl = PackageURL("generic", None, "openjdk", release.get("JAVA_RUNTIME_VERSION") or release["JAVA_VERSION"], {"vendor": vendor})
    yield component(purl, LicenseExpression("GPL-2.0-only WITH Classpath-exception-2.0"), ComponentType.PLATFORM)


def go(program):
    """The modules that a Go program is made of, as it says itself, and the library of the language."""
    said = subprocess.run(["go", "version", "-m", program], check=True, capture_output=True, text=True).stdout
    version = re.search(r": go(\S+)", said)[1]
    yield component(PackageURL("golang", None, "std", version), LicenseExpression("BSD-3-Clause"))
    for kind, module, number in re.findall(r"^\t(mod|dep)\t(\S+)\t(\S+)", said, re.M):
        if kind == "dep":
            space, _, name = module.rpartition("/")
            yield component(PackageURL("golang", space, name, number))


def debian(packages):
    """Packages of this Debian."""
    for package in packages:
        said = subprocess.run(
            ["dpkg-query", "-W", "-f", "${Version} ${Architecture}", package], check=True, capture_output=True, text=True
        ).stdout
        version, arch = said.split()
        yield component(PackageURL("deb", "debian", package, version, {"arch": arch}))


def main():
    """Reads the command line and writes the file."""
    options = argparse.ArgumentParser()
    for name in ("version", "purl", "output"):
        options.add_argument("--" + name, required=True)
    for name in ("jars", "maven", "runtime", "go"):
        options.add_argument("--" + name)
    options.add_argument("--debian", nargs="*", default=[])
    given = options.parse_args()
    parts = []
    if given.jars:
        parts += jars(given.jars, given.maven)
    if given.runtime:
        parts += runtime(given.runtime)
    if given.go:
        parts += go(given.go)
    parts += debian(given.debian)
    itself = component(PackageURL.from_string(given.purl), LicenseExpression("Apache-2.0"), ComponentType.APPLICATION)
    made = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    bill = Bom(
        components=parts,
        serial_number=uuid.uuid5(uuid.NAMESPACE_URL, f"{given.purl} {made.isoformat()}"),
        metadata=BomMetaData(component=itself, timestamp=made),
    )
    bill.register_dependency(itself, parts)
    make_outputter(bill, OutputFormat.JSON, SchemaVersion.V1_6).output_to_file(given.output, allow_overwrite=True, indent=1)


main()
