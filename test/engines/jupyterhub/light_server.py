# Minimal server without Jupyter: it answers the requests with which the hub checks that a server is
# up. For tests with many servers.
import os
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import urlparse


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header('X-JupyterHub-Version', os.environ.get('JUPYTERHUB_VERSION', '3.0.0'))
        self.send_header('Content-Length', '0')
        self.end_headers()

    def log_message(self, *_):
        pass


address = urlparse(os.environ['JUPYTERHUB_SERVICE_URL'])
HTTPServer((address.hostname, address.port), Handler).serve_forever()
