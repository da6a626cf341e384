import * as z from 'zod';
import {agentFor, type ConnectionOptions} from '../../engines/jupyter/agent-call.ts';
import {callJupyter, type JupyterAnswer} from '../../engines/jupyter/rest.ts';
import {proxyFor} from '../../machine/proxy.ts';
import {codeOf} from '../../text/errors.ts';

const version = z.object({version: z.string()});
const status = z.object({started: z.string(), kernels: z.number()});

/**
 * Result of a probe. `problem`: null if it is a Jupyter Server that accepts the token, else the
 * problem and its fix.
 */
export type Answered = {readonly isJupyter: boolean; readonly problem: string | null};

const CAUSES: Readonly<Record<string, (host: string) => string>> = {
	ECONNREFUSED: host =>
		`Nothing listens at ${host}: start the Jupyter Server there, or correct the address; jupyter server list prints it.`,
	ENOTFOUND: host => `The host name in ${host} is unknown. Correct the address.`,
	EAI_AGAIN: host => `The host name in ${host} cannot be resolved now. Correct the address, or try again.`,
};

const unreachable = (error: unknown, host: string): string => {
	const code = codeOf(error instanceof Error ? error.cause : undefined);
	if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code))
		return `The certificate of ${host} is not trusted. Use svc-tui attach --ca-file FILE with the PEM file of its CA.`;
	return (
		CAUSES[code]?.(host) ??
		`${host} does not respond. Check that this machine can reach it, or use an ssh -L tunnel.`
	);
};

const isRefusal = ({status: code}: JupyterAnswer): boolean => code === 401 || code === 403;

/**
 * Checks whether a Jupyter Server responds at an address. The first request omits the token, so
 * that no other program receives it. Never rejects. `limit` is in ms.
 */
export const probe = async (
	place: URL,
	token: string,
	way: ConnectionOptions,
	limit: number,
): Promise<Answered> => {
	const {host, href: url} = place;
	const failed = (problem: string, isJupyter = false): Answered => ({isJupyter, problem});
	const proxy = proxyFor(place, way.proxyEnv);
	if (typeof proxy === 'string') return failed(proxy);
	const agent = agentFor(place, way);
	const to = {url, ...(agent && {agent})};
	try {
		const who = await callJupyter({...to, token: ''}, 'GET', 'api', {limit});
		if (who.status >= 300 && who.status < 400)
			return failed(
				`${host} returned another page, such as a login page. Attach the Jupyter Server's own address, with its token.`,
			);
		if ([424, 502, 503, 504].includes(who.status))
			return failed(
				`The server behind ${host} is not running (status ${who.status}). Start it on its own machine.`,
			);
		// Some servers reject every request without a token, so they are accepted as well.
		if (!isRefusal(who) && (who.status !== 200 || !version.safeParse(who.json).success))
			return failed(
				`${host} is not a Jupyter Server (status ${who.status}). Correct the address; jupyter server list prints it.`,
			);
		const known = await callJupyter({...to, token}, 'GET', 'api/status', {limit});
		if (isRefusal(known))
			return failed(
				`${host} rejected this token. A restarted server has a new one; run jupyter server list.`,
				true,
			);
		if (known.status !== 200 || !status.safeParse(known.json).success)
			return failed(`${host} is not a supported Jupyter Server (status ${known.status}).`);
		return {isJupyter: true, problem: null};
	} catch (error) {
		return failed(unreachable(error, host));
	} finally {
		agent?.destroy();
	}
};
