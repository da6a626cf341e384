/** Work that tells how much of it is done, from 0 to 1, each time it gives way. */
export type Work<T> = Generator<number, T, void>;
