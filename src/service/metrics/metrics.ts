// Metrics of the service in the text format of Prometheus. Loaded only with --metrics.
import {createServer, type Server} from 'node:http';
import {collectDefaultMetrics, Counter, Gauge, Histogram, Registry} from 'prom-client';
import type {SlotUse} from '../http/admission.ts';
import {isAllowedOrigin} from '../http/host-check.ts';
import type {RequestRecord} from '../http/request-record.ts';

/**
 * Upper bounds of the histogram's buckets, in seconds. Up to ten minutes, because cells and answers
 * take much longer than a list of servers.
 */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 600];

export type MetricsSources = {
	readonly engine: string;
	readonly slots: () => readonly SlotUse[];
	readonly connections: () => Promise<number>;
	/** Null if the service does not run the servers itself. */
	readonly runningServers: (() => number) | null;
};

export type Metrics = {
	readonly observe: (record: RequestRecord) => void;
	/** HTTP server for `/metrics`, which does not listen yet. */
	readonly server: Server;
};

/** Creates the metrics. Labels never contain names of users, servers or files. */
export const createMetrics = ({engine, slots, connections, runningServers}: MetricsSources): Metrics => {
	const register = new Registry();
	const registers = [register];
	collectDefaultMetrics({register});
	new Gauge({name: 'svc_tui_info', help: 'Engine of the service', labelNames: ['engine'], registers}).set(
		{engine},
		1,
	);
	const requests = new Counter({
		name: 'svc_tui_requests_total',
		help: 'Requests that ended, by method, route and status ("gone": the client disconnected first)',
		labelNames: ['method', 'route', 'status'],
		registers,
	});
	const bytes = new Counter({
		name: 'svc_tui_response_bytes_total',
		help: 'Bytes of responses, by route',
		labelNames: ['route'],
		registers,
	});
	const seconds = new Histogram({
		name: 'svc_tui_request_duration_seconds',
		help: 'Duration of requests, by route, without WebSockets and leases',
		labelNames: ['route'],
		buckets: BUCKETS,
		registers,
	});
	new Gauge({
		name: 'svc_tui_slots_used',
		help: 'Slots in use; with none left, the service responds with 503',
		labelNames: ['kind'],
		registers,
		collect() {
			for (const {kind, used} of slots()) this.set({kind}, used);
		},
	});
	new Gauge({
		name: 'svc_tui_slots',
		help: 'Slots of each kind',
		labelNames: ['kind'],
		registers,
		collect() {
			for (const {kind, most} of slots()) this.set({kind}, most);
		},
	});
	new Gauge({
		name: 'svc_tui_connections',
		help: 'Open connections',
		registers,
		async collect() {
			this.set(await connections());
		},
	});
	if (runningServers)
		new Gauge({
			name: 'svc_tui_running_servers',
			help: 'Servers that are starting or ready',
			registers,
			collect() {
				this.set(runningServers());
			},
		});
	const server = createServer(({method = '', url, headers}, response) => {
		const site = headers['sec-fetch-site'];
		const page = {origin: headers.origin, site: typeof site === 'string' ? site : undefined};
		const status =
			url?.split('?')[0] !== '/metrics'
				? 404
				: method !== 'GET' && method !== 'HEAD'
					? 405
					: isAllowedOrigin(page, null)
						? 200
						: 403;
		if (status !== 200) {
			response.writeHead(status).end();
			return;
		}
		void register.metrics().then(text => {
			response.writeHead(200, {'content-type': register.contentType}).end(text);
		});
	});
	return {
		observe({method, route, status, isUpgrade, ms, bytes: sent}) {
			requests.inc({method, route, status});
			bytes.inc({route}, sent);
			if (!isUpgrade && route !== '/local/lease') seconds.observe({route}, ms / 1000);
		},
		server,
	};
};
