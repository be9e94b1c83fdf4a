"""A Django program in one file; a project made by startproject is served as `lrwp run mysite.wsgi` or `mysite.asgi`.

    pip install django
    lrwp run django_app --context /shop           # by WSGI
    lrwp run django_app:asgi --context /shop      # by ASGI
"""

import io

import django
from django.conf import settings
from django.core.asgi import get_asgi_application
from django.core.wsgi import get_wsgi_application
from django.http import FileResponse, HttpResponse, StreamingHttpResponse
from django.urls import path, reverse

settings.configure(ROOT_URLCONF=__name__, ALLOWED_HOSTS=["*"], SECRET_KEY="for this example only",
                   MIDDLEWARE=["django.middleware.common.CommonMiddleware"])
django.setup()


def index(request):
    return HttpResponse(f'<a href="{reverse("hello", args=["you"])}">hello</a>\n')


def hello(request, name):
    return HttpResponse(f"hello {name}\n", content_type="text/plain; charset=utf-8")


def upload(request):
    size = 0
    while piece := request.read(65536):
        size += len(piece)
    return HttpResponse(f"{size}\n")


def count(request):
    async def numbers():
        for number in range(5):
            yield f"{number}\n"

    is_async = hasattr(request, "scope")
    pieces = numbers() if is_async else (f"{number}\n" for number in range(5))
    return StreamingHttpResponse(pieces, content_type="text/plain")


def file(request):
    return FileResponse(io.BytesIO(b"0123456789" * 20_000), content_type="application/octet-stream")


def fail(request):
    raise ValueError("thrown by the view")


urlpatterns = [
    path("", index),
    path("hello/<str:name>", hello, name="hello"),
    path("upload", upload),
    path("count", count),
    path("file", file),
    path("fail", fail),
]
application = get_wsgi_application()
asgi = get_asgi_application()
