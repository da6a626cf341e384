import type {EngineName} from '../catalogue/own-options.ts';
import {plainText, type Route} from './route.ts';

/**
 * Ports that clients can reach: all ports of the machine, forward addresses under a wildcard name,
 * or only the service's port.
 */
export type Reach = 'machine' | 'wildcard' | 'service';

const beyond = `A ready server provides Jupyter Server's API at this address, to programs only and with its token:
svc-tui servers --json prints both. Its pages are not available here.`;

const listening: Readonly<Record<Reach, string>> = {
	machine: `A ready server has its own addresses on this machine, each with a token: one of its Jupyter Server,
and one that forwards to the program on the server's port.
svc-tui servers --json lists them, svc-tui server open NAME --forward opens the latter.`,
	wildcard: `${beyond}
While it is ready, an address of its own, with a token, forwards to the program on its port:
svc-tui servers --json prints it, svc-tui server open NAME --forward opens it.`,
	service: `${beyond}
A program on its port is not reachable either: the service has no host name for it (serve --forward-host).
To reach the program, use ssh -L PORT:127.0.0.1:PORT to that machine.`,
};

const about = (engine: EngineName, reach: Reach): string => {
	if (engine === 'jupyter') return listening[reach];
	return engine === 'pyodide'
		? `${
				reach === 'machine'
					? `A ready server provides Jupyter Server's API at its own address on this machine, with a token:
svc-tui servers --json prints it, svc-tui server open NAME explains how to connect.`
					: beyond
			}
It has no web page, no web editor, and nothing can listen on the server's port: there is nothing to forward to.`
		: `A ready server has its page at the JupyterHub that runs it:
svc-tui servers --json prints the address. Its port is not forwarded here.`;
};

const pageText = (
	engine: EngineName,
	reach: Reach,
): string => `This is the address of a notebook server on a service of svc-tui.

${about(engine, reach)}

What works instead:
  svc-tui                       the full-screen program: files, REPL and assistant of the server
  svc-tui run NAME -            runs Python from standard input
  svc-tui files list NAME       lists the files
  svc-tui chat NAME "QUESTION"  asks the assistant
`;

const thumbImage =
	'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" width="16" height="16"><path fill="none" stroke="#4b8bbe" stroke-width="1.5" d="M2 3h12v4H2zM2 9h12v4H2zM4 5h2M4 11h2"/></svg>\n';

/**
 * Routes that need no key: probes, and pages at the addresses that the service returns. Their texts
 * are the same for every name, so that they reveal nothing about other users' servers.
 */
export const pageRoutes = (engine: EngineName, reach: Reach): readonly Route[] => [
	...['/healthz', '/readyz'].flatMap(path =>
		['GET', 'HEAD'].map((method): Route => ({
			method,
			path,
			open: true,
			probe: true,
			answer: () => ({headers: plainText, body: 'ok\n'}),
		})),
	),
	...['/user/{user_email}/{server_name}/', '/editor/{server_name}', '/forward/{server_name}'].map(
		(path): Route => ({
			method: 'GET',
			path,
			open: true,
			answer: () => ({headers: plainText, body: pageText(engine, reach)}),
		}),
	),
	{
		method: 'GET',
		path: '/thumb/server.svg',
		open: true,
		answer: () => ({headers: {'content-type': 'image/svg+xml'}, body: thumbImage}),
	},
];
