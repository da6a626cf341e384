# A server as the hub sees it, without Jupyter: it replies where the hub checks that it is up. Used
# by tests with many servers.
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
