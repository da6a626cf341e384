/** State by server name. A Map, because a server may be called `__proto__`. */
export type ByServer<T> = ReadonlyMap<string, T>;

export const changed = <T>(map: ByServer<T>, server: string, empty: T, change: (old: T) => T): ByServer<T> =>
	new Map(map).set(server, change(map.get(server) ?? empty));
