import type {EngineName} from './catalogue/own-options.ts';
import type {RoutePattern} from './route-pattern.ts';

/**
 * The addresses that the service hands out answer without a key, since a browser opens them: with these fixed texts only,
 * the same for every name, so that they tell nothing about anyone's servers.
 */
const pagePaths = ['/user/{user_email}/{server_name}/', '/editor/{server_name}', '/forward/{server_name}'] as const;
export const thumbPath = '/thumb/server.svg';

export const openRoutes: readonly RoutePattern[] = [...pagePaths, thumbPath].map(path => ({method: 'GET', path, open: true}));

const about: Readonly<Record<EngineName, string>> = {
	pyodide: `The embedded engine runs Python for the service's own calls. It has no web page,
no web editor, and nothing listens on the server's port.`,
	jupyter: `A server that is ready has an address of its own, a Jupyter Server of this machine,
and a token that opens it: svc-tui servers --json tells both.`,
	jupyterhub: `A server that is ready has its page at the JupyterHub that runs it:
svc-tui servers --json tells the address.`,
};

export const pageText = (engine: EngineName): string => `This is the address of a notebook server on the local service of svc-tui.

${about[engine]}

What works instead:
  svc-tui                       the full-screen program: files, REPL and assistant of the server
  svc-tui run NAME -            runs Python from standard input
  svc-tui files list NAME       lists the files
  svc-tui chat NAME "QUESTION"  asks the assistant
`;

export const thumbImage = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" width="16" height="16"><path fill="none" stroke="#4b8bbe" stroke-width="1.5" d="M2 3h12v4H2zM2 9h12v4H2zM4 5h2M4 11h2"/></svg>\n';
