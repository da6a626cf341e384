// Signing in with a browser: the hub identifies the user by OAuth, and a program on the user's
// machine gets the token. Stateless, because another copy of the service may receive the next
// request.
import {
	createCipheriv,
	createDecipheriv,
	createHmac,
	hkdfSync,
	randomBytes,
	timingSafeEqual,
} from 'node:crypto';
import * as z from 'zod';
import {challengeOf, signInMark} from '../../contract/sign-in.ts';
import type {Hub} from '../../engines/jupyterhub/hub.ts';
import {jsonIn} from '../../text/record.ts';
import {ServiceFault} from '../http/fault.ts';

export type SignInOptions = {
	/** Id and secret of the service at the hub, and the callback URL that is registered there. */
	readonly clientId: string;
	readonly clientSecret: string;
	readonly redirectUri: string;
};

/**
 * Time limits in ms: from the first page until the hub redirects back, and from then until the
 * program's request.
 */
const PAGE_MS = 10 * 60_000;
const CODE_MS = 60_000;

const target = z.object({port: z.int().min(1).max(65_535), challenge: z.string().regex(/^[\w-]{43}$/)});
const state = target.extend({until: z.number()});
const grant = z.object({key: z.string(), challenge: z.string(), until: z.number()});

const TAG = 16;
const IV = 12;

/** Signs and encrypts texts in a way that only copies of this service can verify and decrypt. */
const createSecrets = (secret: string) => {
	const keyFor = (use: string): Buffer =>
		Buffer.from(hkdfSync('sha256', secret, '', `svc-tui sign-in ${use}`, 32));
	const [signing, sealing] = [keyFor('state'), keyFor('code')];
	const signatureOf = (text: string): Buffer => createHmac('sha256', signing).update(text).digest();
	return {
		sign(value: object): string {
			const text = Buffer.from(JSON.stringify(value)).toString('base64url');
			return `${text}.${signatureOf(text).toString('base64url')}`;
		},
		/** Verifies a signed text. Undefined if the signature is wrong. */
		signed(text: string): unknown {
			const [value = '', signature = ''] = text.split('.');
			const [given, wanted] = [Buffer.from(signature, 'base64url'), signatureOf(value)];
			if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return undefined;
			return jsonIn(Buffer.from(value, 'base64url').toString());
		},
		seal(value: object): string {
			const iv = randomBytes(IV);
			const cipher = createCipheriv('aes-256-gcm', sealing, iv);
			const sealed = [cipher.update(JSON.stringify(value)), cipher.final()];
			return Buffer.concat([iv, ...sealed, cipher.getAuthTag()]).toString('base64url');
		},
		/** Decrypts a text. Undefined if it was not encrypted by this service. */
		unseal(text: string): unknown {
			const bytes = Buffer.from(text, 'base64url');
			if (bytes.length <= IV + TAG) return undefined;
			const cipher = createDecipheriv('aes-256-gcm', sealing, bytes.subarray(0, IV), {authTagLength: TAG});
			cipher.setAuthTag(bytes.subarray(-TAG));
			try {
				return jsonIn(Buffer.concat([cipher.update(bytes.subarray(IV, -TAG)), cipher.final()]).toString());
			} catch {
				return undefined;
			}
		},
	};
};

const stale = (): ServiceFault =>
	new ServiceFault(400, 'This sign-in is no longer valid. Start it again: svc-tui login.');

export const createHubSignIn = (
	{clientId, clientSecret, redirectUri}: SignInOptions,
	{authorizePage, exchange}: Hub['oauth'],
) => {
	const secrets = createSecrets(clientSecret);
	/** Codes that were already exchanged, with their expiry, until they expire. */
	const used = new Map<string, number>();

	return {
		/**
		 * Data of the first page. `mark`: text that the user compares. `next`: the hub's address
		 * for signing in.
		 * @throws {ServiceFault} 400 if the program's parameters are invalid.
		 */
		begin(query: URLSearchParams): {readonly mark: string; readonly next: string} {
			const {data} = target.safeParse({port: Number(query.get('port')), challenge: query.get('challenge')});
			if (!data) throw new ServiceFault(400, 'This page needs the port and the challenge of svc-tui login.');
			const asked = new URLSearchParams({
				client_id: clientId,
				redirect_uri: redirectUri,
				response_type: 'code',
				state: secrets.sign({...data, until: Date.now() + PAGE_MS}),
			});
			return {mark: signInMark(data.challenge), next: `${authorizePage}?${asked.toString()}`};
		},
		/**
		 * Address on the user's machine to which the browser is redirected after the hub has
		 * responded.
		 * @throws {ServiceFault} 400 if this service did not start the sign-in, or too long ago.
		 */
		async callback(query: URLSearchParams): Promise<string> {
			const {data} = state.safeParse(secrets.signed(query.get('state') ?? ''));
			if (!data || data.until < Date.now()) throw stale();
			const {port, challenge} = data;
			const to = (answer: Readonly<Record<string, string>>): string =>
				`http://127.0.0.1:${port}/?${new URLSearchParams(answer).toString()}`;
			const code = query.get('code');
			if (code === null) return to({error: 'denied'});
			const key = await exchange({
				client_id: clientId,
				client_secret: clientSecret,
				code,
				redirect_uri: redirectUri,
			});
			if (key === null) return to({error: 'hub'});
			return to({code: secrets.seal({key, challenge, until: Date.now() + CODE_MS})});
		},
		/**
		 * Returns the key for a code.
		 * @throws {ServiceFault} 400 if the code is wrong, expired, used before, or was issued for
		 * another program.
		 */
		finish({code, verifier}: {readonly code: string; readonly verifier: string}): string {
			const now = Date.now();
			for (const [old, until] of used) if (until < now) used.delete(old);
			const {data} = grant.safeParse(secrets.unseal(code));
			if (!data || data.until < now || used.has(code) || challengeOf(verifier) !== data.challenge)
				throw stale();
			used.set(code, data.until);
			return data.key;
		},
	};
};

export type HubSignIn = ReturnType<typeof createHubSignIn>;
