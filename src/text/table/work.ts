/** Work in steps. Each step yields the fraction done so far, from 0 to 1. */
export type Work<T> = Generator<number, T, void>;
