# Configuration of the tests' hub. Servers are local processes, users sign in without passwords, and
# all files are below SVC_TEST_HUB.
import asyncio
import itertools
import os
import sys

here = os.environ['SVC_TEST_HUB']
ports = [int(port) for port in os.environ['SVC_TEST_HUB_PORTS'].split(',')]
c = get_config()  # noqa: F821
c.JupyterHub.bind_url = f'http://127.0.0.1:{ports[0]}'
c.JupyterHub.hub_bind_url = f'http://127.0.0.1:{ports[1]}'
c.ConfigurableHTTPProxy.api_url = f'http://127.0.0.1:{ports[2]}'
c.ConfigurableHTTPProxy.command = [os.environ['SVC_TEST_NODE'], os.environ['SVC_TEST_PROXY']]
c.ConfigurableHTTPProxy.pid_file = f'{here}/proxy.pid'
c.JupyterHub.db_url = f'sqlite:///{here}/hub.sqlite'
c.JupyterHub.cookie_secret_file = f'{here}/cookie_secret'
c.JupyterHub.authenticator_class = 'dummy'
c.JupyterHub.spawner_class = 'jupyterhub.spawner.SimpleLocalProcessSpawner'
c.SimpleLocalProcessSpawner.home_dir_template = here + '/home/{username}'
c.Spawner.cmd = ['jupyterhub-singleuser'] + (['--allow-root'] if os.getuid() == 0 else [])
if os.environ.get('SVC_TEST_HUB_LIGHT') == 'yes':
    c.Spawner.cmd = ['/usr/bin/python3', '-I', os.path.join(os.path.dirname(os.path.abspath(__file__)), 'light_server.py')]
# Servers then check each token with the hub again after a second, instead of after five minutes.
if os.environ.get('SVC_TEST_HUB_FORGETS') == 'yes':
    c.Spawner.args = ['--HubAuth.cache_max_age=1']
c.Spawner.environment = {'JUPYTERHUB_SINGLEUSER_APP': 'jupyter_server.serverapp.ServerApp', 'JUPYTER_PATH': os.environ.get('JUPYTER_PATH', '')}
c.Spawner.ip = '127.0.0.1'
c.Spawner.poll_interval = 1
c.Spawner.start_timeout = 60
c.JupyterHub.allow_named_servers = True
c.JupyterHub.services = [{'name': 'tests', 'api_token': os.environ['SVC_TEST_HUB_TOKEN']}]
roles = [{'name': 'tests', 'services': ['tests'], 'scopes': ['admin:users', 'admin:servers', 'tokens', 'shutdown']}]
c.JupyterHub.load_roles = roles
# Addition of an operator, for a hub with a different public address.
if os.environ.get('SVC_TEST_HUB_SERVICES'):
    tests = c.JupyterHub.services
    exec(os.environ['SVC_TEST_HUB_SERVICES'].replace('https://hub.example.com', f'http://127.0.0.1:{ports[0]}'))
    c.JupyterHub.services = tests + c.JupyterHub.services
if c.JupyterHub.load_roles != roles:
    c.JupyterHub.load_roles = roles + c.JupyterHub.load_roles
# The hub answers a POST at once, even if the server starts quickly.
c.JupyterHub.tornado_settings = {'slow_spawn_timeout': 0}
# A restarted hub finds its servers still running, by default.
c.JupyterHub.cleanup_servers = os.environ.get('SVC_TEST_HUB_CLEANUP') == 'yes'
c.JupyterHub.cleanup_proxy = True
# Additions for the servers of the hub.
exec(os.environ.get('SVC_TEST_HUB_SERVERS', ''))


# An operator's limit on named servers.
if os.environ.get('SVC_TEST_HUB_NAMED_LIMIT'):
    c.JupyterHub.named_server_limit_per_user = int(os.environ['SVC_TEST_HUB_NAMED_LIMIT'])


# The hub chooses a free port before its server binds it, so two of many starting servers may get
# the same port. These ports are below the range from which Linux picks free ports.
light_ports = itertools.count(20000 + os.getpid() % 100 * 100)


# The hub knows the profiles of the page on hubs, and rejects others with KubeSpawner's message.
async def pre_spawn(spawner):
    wanted = spawner.user_options.get('environment', '')
    if wanted == 'broken':
        raise RuntimeError('the image for broken is missing')
    profile = spawner.user_options.get('profile', 'small')
    if profile not in ('small', 'gpu'):
        raise ValueError(f'No such profile: {profile}. Options include: small, gpu')
    if os.environ.get('SVC_TEST_HUB_LIGHT') == 'yes':
        spawner.port = next(light_ports)
    folder = f'{here}/home/{spawner.user.name}/{spawner.name}'
    os.makedirs(folder, exist_ok=True)
    spawner.notebook_dir = folder
    spawner.environment = {**spawner.environment, 'SVC_ENVIRONMENT': wanted, 'SVC_PROFILE': profile}
    # Waits until the test has seen that the server is starting.
    while wanted == 'slow' and not os.path.exists(f'{here}/go-on'):
        await asyncio.sleep(0.05)

c.Spawner.pre_spawn_hook = pre_spawn


async def told(self):
    yield {'progress': 10, 'message': 'Node pool is at its size\033[31m'}
    yield {'progress': 40, 'message': 'Pulling image "registry.example/slow:1"'}

if os.environ.get('SVC_TEST_HUB_TELLS') == 'yes':
    from jupyterhub.spawner import SimpleLocalProcessSpawner
    SimpleLocalProcessSpawner.progress = told
