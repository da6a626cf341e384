import {explainFailure} from '../../api/failure.ts';
import {LIMIT_RULE, limitsText, typedLimit} from '../../query/limit-texts.ts';
import {label} from '../../text/safe.ts';
import type {App} from '../core/app.ts';
import type {LineCommand} from '../core/feature.ts';
import {notices} from '../core/store/notices.ts';
import {findServer, serverList} from './servers.ts';

const FIELDS: Readonly<Record<string, 'idle_stop' | 'max_run'>> = {idle: 'idle_stop', run: 'max_run'};

const change = async (app: App, server: string, field: 'idle_stop' | 'max_run', limit: string | null) => {
	const client = await app.deps.client();
	const reply = await client.setLimits({server_name: server, [field]: limit});
	if (!reply.ok) {
		const {status, reason} = reply.failure;
		const text =
			status === 404 && reason === undefined
				? 'This service does not limit servers'
				: (reason ?? explainFailure(reply.failure).what);
		return notices(app).notify('bad', label(text, 300));
	}
	const found = reply.value.servers.find(({name}) => name === server);
	notices(app).notify('good', `${label(server, 60)} ${limitsText(found ?? {}) ?? 'has no limits'}`);
	await serverList(app).refreshServers();
};

/** `:limit idle 1h` and `:limit run 8h`, for the current server. */
export const limitCommand: LineCommand = {
	name: 'limit',
	argument: 'idle|run duration',
	does: 'Stop the current server after a time without use, or after its start',
	writes: true,
	suggest: () => ['idle 30m', 'idle 1h', 'idle off', 'run 8h', 'run 1d', 'run off'],
	run({get}, argument) {
		const state = get();
		const {current, app} = state;
		if (current === null || findServer(state, current) === undefined) return 'Choose a server first';
		const [kind = '', text = '', ...rest] = argument.trim().split(/\s+/);
		const field = Object.hasOwn(FIELDS, kind) ? FIELDS[kind] : undefined;
		const limit = typedLimit(text);
		if (field === undefined || limit === undefined || rest.length > 0)
			return `Give idle or run, and ${LIMIT_RULE}`;
		void change(app, current, field, limit);
	},
};
