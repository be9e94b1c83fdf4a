"""Takes an XML message by POST, as an OSP server does, and answers a small one with the same ids."""

import xml.etree.ElementTree as ElementTree

import options
from lrwp import Answer


def handle(request):
    if request.env["REQUEST_METHOD"] != "POST":
        return Answer("POST only\n", status="405 Method Not Allowed", headers=[("Allow", "POST")])
    try:
        message = ElementTree.fromstring(request.body(most=100_000))
    except ElementTree.ParseError as error:
        return Answer(f"not XML: {error}\n", status="400 Bad Request")
    wanted = message.find("AuthorizationRequest")
    if wanted is None:
        return Answer("no AuthorizationRequest\n", status="400 Bad Request")
    answer = ElementTree.Element("Message", messageId=message.get("messageId", ""))
    response = ElementTree.SubElement(answer, "AuthorizationResponse", componentId=wanted.get("componentId", ""))
    status = ElementTree.SubElement(response, "Status")
    ElementTree.SubElement(status, "Code").text = "200"
    return Answer(ElementTree.tostring(answer, xml_declaration=True, encoding="utf-8"), "text/xml")


options.peer(handle).run()
