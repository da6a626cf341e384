// What a user's token of the hub must be allowed, said together with where to make another.
import {HubError, type HubUser} from '../../engines/jupyterhub/hub.ts';
import {ServiceFault} from '../http/fault.ts';

/** `why` ends the sentence; `page` is the hub's, where users make their tokens. */
export const notAllowed = (why: string, page: string): ServiceFault =>
	new ServiceFault(
		403,
		`The hub does not allow it to this key: ${why}. Make a token at ${page} without a choice of scopes, or with servers, access:servers and tokens.`,
	);

/** What the hub said, or that it said nothing, as an answer of ours; any other error is a bug and comes back as it is. */
export const hubFault = (error: unknown, page: string): unknown => {
	if (!(error instanceof HubError)) return error;
	if (error.status === 403) return notAllowed(error.message, page);
	if (error.status >= 400 && error.status < 500)
		return new ServiceFault(409, `The hub refused: ${error.message}.`);
	return new ServiceFault(503, error.message);
};

/** Whether the token opens the user's server. A filter of another kind, as of a group, may hold it: the server says. */
export const mayUse = ({name: user, scopes}: Pick<HubUser, 'name' | 'scopes'>, server: string): boolean =>
	scopes === null ||
	scopes.some(scope => {
		const [what, kind, value] = /^([^!]+)(?:!([^=]+)(?:=(.*))?)?$/.exec(scope)?.slice(1) ?? [];
		if (what !== 'access:servers') return false;
		if (kind === 'user') return value === undefined || value === user;
		return kind !== 'server' || value === `${user}/${server}`;
	});
