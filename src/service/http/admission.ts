import {once} from '../once.ts';
import {ServiceFault} from './fault.ts';

/** Resource that a request occupies while it runs. */
export type LoadKind = 'lease' | 'upload' | 'run' | 'answer';
/** Forwarded requests have a separate limit, because they may take long. */
export type AdmissionClass = 'request' | 'forward';
type Kind = LoadKind | AdmissionClass;

/**
 * Limits for all keys together. `bytes`: received request bodies whose response was not sent yet.
 */
export type Capacity = Readonly<Record<Kind | 'bytes', number>>;

export const capacity: Capacity = {
	request: 512,
	forward: 256,
	lease: 256,
	upload: 256,
	run: 256,
	answer: 128,
	bytes: 640 * 2 ** 20,
};

const words: Readonly<Record<Kind | 'bytes', string>> = {
	request: 'running requests',
	forward: 'running forwarded requests',
	lease: 'connected programs',
	upload: 'running uploads',
	run: 'queued and running cells',
	answer: 'running assistant answers',
	bytes: 'bytes in running uploads',
};

/**
 * Fair share: a key may occupy at most as many slots as are free. A single key therefore gets half
 * of the slots, and a new key always finds as many as each other key occupies.
 */
export const fairShare = (
	mine: number,
	{
		taken,
		most,
	}: {
		/** Slots in use by all keys together. */
		readonly taken: number;
		readonly most: number;
	},
): boolean => mine <= most - taken;

/** Use of the slots of one kind. */
export type SlotUse = {readonly kind: string; readonly used: number; readonly most: number};

export const createAdmission = (most: Capacity) => {
	const all = new Map<string, number>();
	const held = new Map<string, number>();

	const add = (counts: Map<string, number>, name: string, count: number): void => {
		const next = (counts.get(name) ?? 0) + count;
		if (next === 0) counts.delete(name);
		else counts.set(name, next);
	};
	const take = (user: string, kind: Kind | 'bytes', count: number): void => {
		const name = `${kind} ${user}`;
		const mine = (held.get(name) ?? 0) + count;
		const taken = all.get(kind) ?? 0;
		if (taken + count > most[kind])
			throw new ServiceFault(503, `The service is at its limit of ${words[kind]}. Try again in a moment.`, {
				'retry-after': '2',
			});
		if (!fairShare(mine, {taken, most: most[kind]}))
			throw new ServiceFault(
				429,
				`Too many ${words[kind]} for this key. Wait for one to finish, then try again.`,
				{'retry-after': '2'},
			);
		add(held, name, count);
		add(all, kind, count);
	};
	const release = (user: string, kind: Kind | 'bytes', count: number): void => {
		add(held, `${kind} ${user}`, -count);
		add(all, kind, -count);
	};

	return {
		slots: (): readonly SlotUse[] =>
			Object.entries(most).map(([kind, limit]) => ({kind, used: all.get(kind) ?? 0, most: limit})),
		/**
		 * Admits a request.
		 * @throws {ServiceFault} 429 above the key's share, 503 above the limit.
		 */
		admit(user: string, entry: AdmissionClass = 'request') {
			take(user, entry, 1);
			const ends = [once(() => release(user, entry, 1))];
			return {
				/**
				 * Occupies a slot.
				 * @throws {ServiceFault} 429 above the key's share, 503 above the limit.
				 */
				take(kind: LoadKind): () => void {
					take(user, kind, 1);
					const end = once(() => release(user, kind, 1));
					ends.push(end);
					return end;
				},
				/**
				 * Adds received bytes.
				 * @throws {ServiceFault} 429 above the key's share, 503 above the limit.
				 */
				addBytes(count: number): void {
					take(user, 'bytes', count);
					ends.push(once(() => release(user, 'bytes', count)));
				},
				end(): void {
					for (const end of ends) end();
				},
			};
		},
	};
};

export type Admission = ReturnType<typeof createAdmission>;
export type Admitted = ReturnType<Admission['admit']>;
