import https from 'node:https';
import type {Duplex} from 'node:stream';
import {codeOf} from '../text/errors.ts';
import type {Proxy} from '../machine/proxy.ts';

/** Failure to open a tunnel through a proxy. `inner`: Node's code of a TLS failure of the proxy. */
export class TunnelError extends Error {
	readonly code: 'ERR_PROXY_SILENT' | 'ERR_PROXY_TLS';
	readonly inner: string;
	constructor(code: TunnelError['code'], inner = '') {
		super(code);
		this.code = code;
		this.inner = inner;
	}
}

type Done = (error: Error | null, stream: Duplex) => void;

/**
 * Agent for HTTPS through a proxy. Unlike Node's, it limits the time to connect, and an error of
 * TLS with the proxy itself has its own code.
 */
export class TunnelAgent extends https.Agent {
	readonly #protocol: Proxy['protocol'];
	readonly #limit: number;

	/** `limit`: time to connect through the proxy to the service, in ms. */
	constructor(options: https.AgentOptions, {protocol, env}: Proxy, limit: number) {
		super({...options, proxyEnv: {...env}});
		this.#protocol = protocol;
		this.#limit = limit;
	}

	override createConnection(
		options: https.RequestOptions,
		done?: Done,
	): ReturnType<https.Agent['createConnection']> {
		let isSecured = this.#protocol === 'http:';
		let isOver = false;
		const end: Done = (error, stream) => {
			if (isOver) return;
			isOver = true;
			clearTimeout(timer);
			const isTls = error !== null && !isSecured && /EPROTO|CERT|SSL|TLS|SELF_SIGNED/.test(codeOf(error));
			done?.(isTls ? new TunnelError('ERR_PROXY_TLS', codeOf(error)) : error, stream);
		};
		const timer = setTimeout(() => {
			if (socket) end(new TunnelError('ERR_PROXY_SILENT'), socket);
			socket?.destroy();
		}, this.#limit);
		// An agent's `timeout` is for idle connections, but Node would apply it to the tunnel too.
		const socket = super.createConnection({...options, timeout: 2 * this.#limit}, end);
		socket?.once('secureConnect', () => {
			isSecured = true;
		});
		return socket;
	}
}
