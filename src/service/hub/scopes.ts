// Scopes that a user's hub token needs, and error messages that link to the page for new tokens.
import {HubError, type HubUser} from '../../engines/jupyterhub/hub.ts';
import {ServiceFault} from '../http/fault.ts';

/** `why` ends the sentence; `page` is the hub's page for tokens. */
export const notAllowed = (why: string, page: string): ServiceFault =>
	new ServiceFault(
		403,
		`The hub does not allow this with your token: ${why}. Create a token at ${page} without selecting scopes, or with the scopes servers, access:servers and tokens.`,
	);

/** Converts a hub's failure into a response. Other errors are bugs and stay unchanged. */
export const hubFault = (error: unknown, page: string): unknown => {
	if (!(error instanceof HubError)) return error;
	if (error.status === 403) return notAllowed(error.message, page);
	if (error.status >= 400 && error.status < 500)
		return new ServiceFault(409, `The hub refused: ${error.message}.`);
	return new ServiceFault(503, error.message);
};

/** Tests a token's scopes. Filters of other kinds, such as groups, are left to the server. */
export const mayUse = ({name: user, scopes}: Pick<HubUser, 'name' | 'scopes'>, server: string): boolean =>
	scopes === null ||
	scopes.some(scope => {
		const [what, kind, value] = /^([^!]+)(?:!([^=]+)(?:=(.*))?)?$/.exec(scope)?.slice(1) ?? [];
		if (what !== 'access:servers') return false;
		if (kind === 'user') return value === undefined || value === user;
		return kind !== 'server' || value === `${user}/${server}`;
	});
