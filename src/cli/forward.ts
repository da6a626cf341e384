import {hostOf} from '../query/own-hosts.ts';
import {once} from 'node:events';
import net from 'node:net';
import {codeOf} from '../text/errors.ts';
import {CommandError, EXIT, failed, usageError} from './command-error.ts';
import type {Context, Service} from './context.ts';
import {embeddedCannot, engineOf, isElsewhere} from './engine-of.ts';
import {findServer} from './find-server.ts';
import {reachServer} from './on-server.ts';
import {printResult} from './print.ts';

const portsIn = (text: string): {readonly port: number; readonly local: number | undefined} => {
	const [, port = '', local] = /^(\d{1,5})(?::(\d{1,5}))?$/.exec(text) ?? [];
	const numbers = [port, ...(local === undefined ? [] : [local])].map(Number);
	if (port === '' || numbers.some(number => number < 1 || number > 65_535))
		throw usageError(
			`${JSON.stringify(text)} is not a port.`,
			'Give a server port from 1 to 65535, or PORT:LOCAL to set the local port as well.',
		);
	return {port: Number(port), local: local === undefined ? undefined : Number(local)};
};

/**
 * Forwards a local port to connections that `dial` opens, until the signal is aborted.
 * @throws {CommandError} if the port cannot be opened.
 */
const openPipe = async (
	[port, local]: readonly [port: number, local: number],
	dial: () => Promise<net.Socket>,
	onOpen: () => Promise<void>,
	signal: AbortSignal,
) => {
	const join = async (near: net.Socket): Promise<void> => {
		near.on('error', () => near.destroy());
		const far = await dial();
		near.pipe(far).pipe(near);
		near.on('close', () => far.destroy());
		far.on('error', () => near.destroy()).on('close', () => near.destroy());
		if (near.destroyed) far.destroy();
	};
	const listener = net.createServer({allowHalfOpen: true}, near => {
		void join(near).catch(() => near.destroy());
	});
	try {
		listener.listen(local, '127.0.0.1');
		await once(listener, 'listening');
	} catch (error) {
		throw new CommandError(
			'local-file',
			codeOf(error) === 'EADDRINUSE'
				? `Port ${local} of this machine is taken.`
				: `Port ${local} of this machine cannot be opened: ${codeOf(error)}.`,
			`Use PORT:LOCAL to choose another local port: ${port}:${local + 1}.`,
		);
	}
	await onOpen();
	if (!signal.aborted) await once(signal, 'abort');
	listener.close();
};

const connected = async (how: net.NetConnectOpts): Promise<net.Socket> => {
	const socket = net.connect({...how, allowHalfOpen: true});
	await once(socket, 'connect');
	return socket;
};

/**
 * Returns a function that opens connections to a port of a host. If the host's connection has
 * broken, the function opens it again.
 */
const dialHost = async (
	{signal}: Context,
	{client}: Service,
	name: string,
	port: number,
): Promise<() => Promise<net.Socket>> => {
	const open = async (): Promise<string> => {
		const reply = await client.openPortOnHost(name, port, {signal});
		if (!reply.ok) throw failed(reply.failure);
		return reply.value.socket;
	};
	let path = await open();
	return () =>
		connected({path}).catch(async () => {
			path = await open();
			return connected({path});
		});
};

/** Runs `forward`: opens a local port that leads to a port of the server. */
export const forward = async (context: Context, name: string, ports: string): Promise<number> => {
	const {port, local} = portsIn(ports);
	const {service} = await reachServer(context, name, undefined, {runsCode: true});
	const server = await findServer(context, service, name);
	const address = `http://127.0.0.1:${local ?? port}`;
	const say = async (text: string): Promise<void> =>
		printResult(context, {server: name, port, address}, `${text}\n`);
	const onOpen = async () =>
		say(`${address} forwards to port ${port} of ${JSON.stringify(name)}, until Ctrl-C.`);
	if (hostOf(server) !== null) {
		await openPipe(
			[port, local ?? port],
			await dialHost(context, service, name, port),
			onOpen,
			context.signal,
		);
		return EXIT.ok;
	}
	const engine = await engineOf(context, service, server);
	if (engine === 'pyodide') throw embeddedCannot(name, 'listen on ports');
	if (engine !== 'jupyter')
		throw new CommandError(
			'unsupported',
			`${JSON.stringify(name)} ${isElsewhere(context, service) ? 'runs on another machine' : 'may run on another machine'}; its ports cannot be forwarded from here.`,
			server.port_forward_url
				? `${context.typed('server', 'open', name, '--forward')} opens the service's address for its port ${server.port ?? '?'}.`
				: '',
		);
	if (local === undefined || local === port)
		await say(`${address} already reaches it: ${JSON.stringify(name)} runs on this machine.`);
	else
		// A host name, since a program may listen on IPv4 or IPv6 only.
		await openPipe([port, local], () => connected({port, host: 'localhost'}), onOpen, context.signal);
	return EXIT.ok;
};
