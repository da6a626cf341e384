import {expect, test} from 'vitest';
import {durationSetting, parseDuration} from '../../src/text/duration.ts';

test.each(['1m', '90m', '2h', '36h', '1d', '400d'])('%s is read and written', text =>
	expect(durationSetting(parseDuration(text) ?? 0)).toBe(text),
);
test.each(['', '0m', '1', 'm', '1s', '-1h', '1.5h', '1h30m', '12345m', ' 1h'])('%j is not a duration', text =>
	expect(parseDuration(text)).toBeNull(),
);
