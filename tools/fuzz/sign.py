"""Signs what schemathesis sends: a key for trading, the admin token for the operator's calls."""

import base64
import hashlib
import hmac
import os
import time

import requests
import schemathesis

OPERATOR = ("/admin/", "/sandbox/")
ACCESS = ("ACCESS-KEY", "ACCESS-PASSPHRASE", "ACCESS-TIMESTAMP", "ACCESS-SIGN")
OWN = ("X-Outcry-Key", "X-Outcry-Passphrase", "X-Outcry-Time", "X-Outcry-Signature")


class Signed(requests.auth.AuthBase):
    def __call__(self, request):
        if request.path_url.startswith(OPERATOR):
            request.headers["Authorization"] = "Bearer " + os.environ["FUZZ_TOKEN"]
            return request
        body = request.body or b""
        content = body.encode() if isinstance(body, str) else body
        timestamp = str(int(time.time() * 1000))
        said = (timestamp + request.method + request.path_url).encode() + content
        sign = hmac.new(b"demo-secret", said, hashlib.sha256).digest()
        values = ("demo-key", "demo-pass", timestamp, base64.b64encode(sign).decode())
        names = OWN if request.path_url.startswith("/v1/") else ACCESS
        request.headers.update(zip(names, values))
        return request


schemathesis.auth.set_from_requests(Signed())
