// Scopes that a user's hub token needs, and error messages with a link to the page for creating
// tokens.
import {HubError, type HubUser} from '../../engines/jupyterhub/hub.ts';
import {ServiceFault} from '../http/fault.ts';

/**
 * Fault for missing permissions. `why`: end of the sentence. `page`: the hub's page for creating
 * tokens.
 */
export const notAllowed = (why: string, page: string): ServiceFault =>
	new ServiceFault(
		403,
		`The hub does not allow this with your token: ${why}. Create a token at ${page} without selecting scopes, or with the scopes servers, access:servers and tokens.`,
	);

/** Converts a failed hub request into a fault. Other errors are bugs and are returned unchanged. */
export const hubFault = (error: unknown, page: string): unknown => {
	if (!(error instanceof HubError)) return error;
	if (error.status === 403) return notAllowed(error.message, page);
	if (error.status >= 400 && error.status < 500)
		return new ServiceFault(409, `The hub refused: ${error.message}.`);
	return new ServiceFault(503, error.message);
};

/**
 * True if the token's scopes allow using a server. Filters of other kinds, such as groups, count as
 * allowed, because only the server can check them.
 */
export const mayUse = ({name: user, scopes}: Pick<HubUser, 'name' | 'scopes'>, server: string): boolean =>
	scopes === null ||
	scopes.some(scope => {
		const [what, kind, value] = /^([^!]+)(?:!([^=]+)(?:=(.*))?)?$/.exec(scope)?.slice(1) ?? [];
		if (what !== 'access:servers') return false;
		if (kind === 'user') return value === undefined || value === user;
		return kind !== 'server' || value === `${user}/${server}`;
	});
