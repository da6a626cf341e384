// Extension of the API: adds a running Jupyter Server to the servers of a service, and removes it.
import * as z from 'zod';
import {success, type Endpoint} from './endpoint.ts';

export const attachRequest = z.object({
	/** Address as Jupyter prints it. The token may be part of it, or be in `token`. */
	address: z.string().max(4096),
	token: z.string().max(4096).optional(),
	/** Derived from the address by default. */
	name: z.string().optional(),
	/** PEM of an extra CA certificate to trust. */
	certificate_authority: z
		.string()
		.max(1 << 20)
		.optional(),
	/** Allows sending the token unencrypted over a network. */
	insecure_http: z.boolean().optional(),
});
export type AttachRequest = z.infer<typeof attachRequest>;

const attachAnswer = z.looseObject({...success, server_name: z.string(), host: z.string()});
export type AttachAnswer = z.infer<typeof attachAnswer>;

export const detachRequest = z.object({server_name: z.string()});

// Outside `/api`, because the service may add its own endpoints there.
export const attachServer = {
	method: 'POST',
	path: '../local/attach',
	body: attachRequest,
	response: attachAnswer,
} as const satisfies Endpoint<typeof attachRequest, typeof attachAnswer>;

export const detachServer = {
	method: 'POST',
	path: '../local/detach',
	body: detachRequest,
	response: z.looseObject({...success}),
} as const satisfies Endpoint<typeof detachRequest, z.ZodType>;
