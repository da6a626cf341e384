import {finishSignIn} from '../../contract/sign-in.ts';
import {escapeHtml} from '../../text/output/entities.ts';
import type {HubSignIn} from '../hub/sign-in.ts';
import {serveEndpoint, type Route} from './route.ts';

const html = {'content-type': 'text/html; charset=utf-8', 'referrer-policy': 'no-referrer'};

const page = (mark: string, next: string): string => `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Sign in to svc-tui</title></head><body>
<h1>Sign in to svc-tui</h1>
<p>A program on this machine asks for access to your notebook servers. It shows this text:</p>
<p><strong>${mark}</strong></p>
<p><a href="${escapeHtml(next)}">Continue</a> only if you started it and the texts are equal.</p>
</body></html>
`;

/**
 * Routes for signing in: the pages that the user's browser visits, and the final request of the
 * program.
 */
export const signInRoutes = (signIn: HubSignIn): readonly Route[] => [
	{
		method: 'GET',
		path: '/local/sign-in',
		open: true,
		page: true,
		answer({query}) {
			const {mark, next} = signIn.begin(new URLSearchParams(query));
			return {headers: html, body: page(mark, next)};
		},
	},
	{
		method: 'GET',
		path: '/oauth_callback',
		open: true,
		page: true,
		async answer({query}) {
			const location = await signIn.callback(new URLSearchParams(query));
			return {status: 303, headers: {...html, location}, body: ''};
		},
	},
	{
		...serveEndpoint(finishSignIn, ({body}) => ({status: 'success' as const, key: signIn.finish(body)})),
		open: true,
	},
];
