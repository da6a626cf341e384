import {randomBytes} from 'node:crypto';
import {DatabaseSync, type StatementSync} from 'node:sqlite';
import * as z from 'zod';
import {DatabaseFault} from '../../machine/disk-fault.ts';
import {ServeError, usageError} from '../serve-error.ts';

const row = z.object({
	id: z.string(),
	owner: z.string(),
	name: z.string(),
	environment: z.string(),
	port: z.int(),
	server_request: z.string(),
	/** Time in ISO 8601 (UTC). */
	created_at: z.string(),
	started_at: z.string().nullable(),
	/**
	 * Reason why the server is offline, as a sentence. Stored when a limit stops the server, for
	 * use after a restart of the service. Null otherwise.
	 */
	ended_reason: z.string().nullable(),
	/**
	 * The user's own folder that contains the server's files. Null for a folder managed by the
	 * service.
	 */
	folder: z.string().nullable(),
	/** Engine that the user has accepted for that folder. */
	folder_engine: z.string().nullable(),
	/** Limits such as `90m`, or `off`. Null for the default. */
	idle_stop: z.string().nullable(),
	max_run: z.string().nullable(),
});

/**
 * Record of a server on disk. Its state is not stored, because all servers are offline after a
 * restart.
 */
export type ServerRecord = z.infer<typeof row>;

export type Settings = Pick<ServerRecord, 'environment' | 'port' | 'server_request'>;

/** The user's own folder, and the engine that the user has accepted for it. */
export type OwnFolder = {readonly folder: string; readonly engine: string};

export const newServerId = (): string => randomBytes(8).toString('hex');

// Entry N migrates the file from version N to N + 1. Never change an entry that was released.
const migrations = [
	`create table servers (
		id text primary key,
		owner text not null,
		name text not null collate nocase,
		environment text not null,
		port integer not null check (port between 1 and 65535),
		server_request text not null,
		created_at text not null,
		started_at text,
		unique (owner, name)
	) strict`,
	'alter table servers add column ended_reason text',
	'alter table servers add column folder text; alter table servers add column folder_engine text',
	`alter table servers add column idle_stop text;
	alter table servers add column max_run text;
	create table spending (owner text not null, day text not null, amount real not null, primary key (owner, day)) strict`,
];

const migrate = (database: DatabaseSync): void => {
	const version = Number(database.prepare('pragma user_version').get()?.['user_version'] ?? 0);
	if (version > migrations.length)
		throw usageError(
			'The data folder was written by a newer svc-tui; update this one, or name another folder with --data.',
		);
	for (const [index, statement] of migrations.entries()) {
		if (index >= version) database.exec(`begin; ${statement}; pragma user_version = ${index + 1}; commit`);
	}
};

const openDatabase = (file: string): DatabaseSync => {
	try {
		const database = new DatabaseSync(file, {timeout: 3000});
		// `full` is needed, because a power failure after the response could otherwise undo the
		// creation of a server and orphan its folder.
		database.exec('pragma journal_mode = wal; pragma synchronous = full');
		migrate(database);
		// Also detects a registry whose table is missing.
		database.prepare('select * from servers limit 1').get();
		return database;
	} catch (error) {
		throw error instanceof ServeError
			? error
			: new DatabaseFault(error, {
					file,
					what: 'registry',
					cure: 'restore it from a backup, or move it and the folder servers beside it away to start without servers',
				});
	}
};

/**
 * Registry of the servers. Names are unique for each owner, regardless of letter case.
 * @throws {ServeError} if a newer version of the program wrote the file.
 */
export const openRegistry = (file: string) => {
	const database = openDatabase(file);
	const list = database.prepare('select * from servers where owner = ? order by created_at, rowid');
	// `collate binary` overrides the column's `nocase`, because server names in addresses are
	// case-sensitive.
	const owners = database.prepare('select distinct owner from servers');
	const find = database.prepare('select * from servers where owner = ? and name = ? collate binary');
	const taken = database.prepare('select * from servers where owner = ? and name = ?');
	const add = database.prepare(
		'insert into servers (id, owner, name, environment, port, server_request, created_at, started_at, folder, folder_engine) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
	);
	const started = database.prepare(
		'update servers set environment = ?, port = ?, server_request = ?, started_at = ?, ended_reason = null where id = ?',
	);
	const agreed = database.prepare('update servers set folder_engine = ? where id = ?');
	const ended = database.prepare('update servers set ended_reason = ? where id = ?');
	const limited = database.prepare('update servers set idle_stop = ?, max_run = ? where id = ?');
	const spend = database.prepare(
		'insert into spending (owner, day, amount) values (?, ?, ?) on conflict do update set amount = amount + excluded.amount',
	);
	const spent = database.prepare('select amount from spending where owner = ? and day = ?');
	/** Cached records by owner, because the screens request them very often. Cleared on changes. */
	const lists = new Map<string, readonly ServerRecord[]>();
	const recordsOf = (owner: string): readonly ServerRecord[] => {
		const records = lists.get(owner) ?? list.all(owner).map(found => row.parse(found));
		lists.set(owner, records);
		return records;
	};
	const change = (statement: StatementSync, ...values: readonly (string | number | null)[]): void => {
		lists.clear();
		statement.run(...values);
	};
	return {
		isEmpty: () => database.prepare('select 1 from servers limit 1').get() === undefined,
		list: recordsOf,
		owners: (): readonly string[] => owners.all().map(found => String(found['owner'])),
		find: (owner: string, name: string) => row.optional().parse(find.get(owner, name)),
		byId: (id: string) =>
			row.optional().parse(database.prepare('select * from servers where id = ?').get(id)),
		/** Name of a server that equals the given one, regardless of letter case. */
		taken: (owner: string, name: string) => row.optional().parse(taken.get(owner, name))?.name,
		/** Adds a server. `isStarted`: true if the server is started immediately. */
		add(
			owner: string,
			{id, name, environment, port, server_request}: Settings & Pick<ServerRecord, 'id' | 'name'>,
			isStarted: boolean,
			own: OwnFolder | null = null,
		): void {
			const now = new Date().toISOString();
			// Uses `run`, because `get` with `returning` ends before the row is on disk, which
			// hides a full disk.
			const [folder, engine] = [own?.folder ?? null, own?.engine ?? null];
			change(
				add,
				id,
				owner,
				name,
				environment,
				port,
				server_request,
				now,
				isStarted ? now : null,
				folder,
				engine,
			);
		},
		started(id: string, {environment, port, server_request}: Settings): void {
			change(started, environment, port, server_request, new Date().toISOString(), id);
		},
		/** Stores the reason why a server is offline, for use after a restart of the service. */
		ended(id: string, reason: string): void {
			change(ended, reason, id);
		},
		limited(id: string, idleStop: string | null, maxRun: string | null): void {
			change(limited, idleStop, maxRun, id);
		},
		/** Adds an amount to the user's cost of a day. */
		spend(owner: string, day: string, amount: number): void {
			spend.run(owner, day, amount);
		},
		spent: (owner: string, day: string): number => Number(spent.get(owner, day)?.['amount'] ?? 0),
		agreed(id: string, engine: string): void {
			change(agreed, engine, id);
		},
		close: () => database.close(),
	};
};

export type Registry = ReturnType<typeof openRegistry>;
