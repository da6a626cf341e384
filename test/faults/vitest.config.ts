import {mergeConfig} from 'vitest/config';
import base from '../vitest.config.ts';

// The matrix of hostile text is being built (issue 3): it runs by itself until every place is in it.
export default mergeConfig({...base, test: {...base.test, exclude: ['**/node_modules/**']}}, {test: {include: ['test/faults/**/*.test.ts']}});
