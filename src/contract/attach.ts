// Ours, beside the interface: a running Jupyter Server is put into the list of a service, and taken out again.
import * as z from 'zod';
import {success, type Endpoint} from './endpoint.ts';

export const attachRequest = z.object({
	/** As Jupyter prints it, with its token in it or beside it. */
	address: z.string().max(4096),
	token: z.string().max(4096).optional(),
	/** By default one is made of the address. */
	name: z.string().optional(),
	/** PEM of an authority to trust besides the usual ones. */
	certificate_authority: z
		.string()
		.max(1 << 20)
		.optional(),
	/** The token may travel over a network in the clear. */
	insecure_http: z.boolean().optional(),
});
export type AttachRequest = z.infer<typeof attachRequest>;

/** `host` is that of its address. */
const attachAnswer = z.looseObject({...success, server_name: z.string(), host: z.string()});
export type AttachAnswer = z.infer<typeof attachAnswer>;

export const detachRequest = z.object({server_name: z.string()});

// Not below /api: what the interface may bring there is not ours to take.
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
