import type {StateCreator} from 'zustand/vanilla';
import type {ColourDepth} from '../text/picture.ts';

/** Which service the program talks to, and how that stands. */
export type Connection =
	| {readonly status: 'connecting'; readonly doing: string}
	| {readonly status: 'ready'}
	/** `what` and `next` are sentences for the user. */
	| {readonly status: 'failed'; readonly what: string; readonly next: string};

export type SessionSlice = {
	/** `local`, or the host of the service. */
	readonly serviceName: string;
	/** On the local service a server costs nothing and is started without asking for money. */
	readonly isLocal: boolean;
	readonly connection: Connection;
	/** Nothing is changed and nothing spent: the profile says so. */
	readonly readOnly: boolean;
	/** Keys of the user's own, by `scope.action`. */
	readonly rebound: Readonly<Record<string, readonly string[]>>;
	/** What the terminal can show, for pictures. */
	readonly colourDepth: ColourDepth;
	setService(name: string, isLocal: boolean): void;
	setConnection(connection: Connection): void;
};

export const createSessionSlice: StateCreator<SessionSlice, [], [], SessionSlice> = set => ({
	serviceName: 'local',
	isLocal: true,
	connection: {status: 'connecting', doing: 'starting the local service'},
	readOnly: false,
	rebound: {},
	colourDepth: 24,
	setService: (serviceName, isLocal) => set({serviceName, isLocal}),
	setConnection: connection => set({connection}),
});
