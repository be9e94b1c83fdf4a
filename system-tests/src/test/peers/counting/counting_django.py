"""A Django program that counts its requests, by WSGI."""

import time

import django
from counting import count
from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.http import HttpResponse
from django.urls import path

settings.configure(ROOT_URLCONF=__name__, ALLOWED_HOSTS=["*"], SECRET_KEY="for this test only")
django.setup()


def counted(request):
    count(request.body)
    time.sleep(0.01)
    return HttpResponse(request.body)


urlpatterns = [path("count", counted)]
application = get_wsgi_application()
