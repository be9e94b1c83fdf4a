"""A Flask program, unchanged.

    pip install flask
    lrwp run flask_app --context /shop
"""

import io

from flask import Flask, request, send_file, url_for

app = Flask(__name__)


@app.get("/")
def index():
    return f'<a href="{url_for("hello", name="you")}">hello</a>\n'


@app.get("/hello/<name>")
def hello(name):
    return f"hello {name}\n"


@app.post("/upload")
def upload():
    size = 0
    while piece := request.stream.read(65536):
        size += len(piece)
    return f"{size}\n"


@app.get("/count")
def count():
    return (f"{number}\n" for number in range(5)), {"Content-Type": "text/plain"}


@app.get("/file")
def file():
    return send_file(io.BytesIO(b"0123456789" * 20_000), mimetype="application/octet-stream")


@app.get("/fail")
def fail():
    raise ValueError("thrown by the view")
