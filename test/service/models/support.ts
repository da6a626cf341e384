import {chmodSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {createClient} from '../../../src/api/client.ts';
import type {ChatAnswer, ChatOptions, Client} from '../../../src/api/client-types.ts';
import type {Message} from '../../../src/contract/assistant.ts';
import type {ModelLimits} from '../../../src/service/assistant/models/model-request.ts';
import type {ServiceOptions} from '../../../src/service/serve.ts';
import {readyService, type LocalService} from '../../support/local-service.ts';
import {tempFolder} from '../../support/temp-folder.ts';

/** A model's key. It may appear only in the header that the model server receives. */
export const CANARY = 'sk-canary-4711-never-shown-0123456789';

/** Limits that expire soon. */
export const SHORT: ModelLimits = {firstByte: 600, silence: 600, afterFinish: 50};

export const ask = (content: string): readonly Message[] => [{role: 'user', content}];

export type ModelService = AsyncDisposable & {
	readonly local: LocalService;
	readonly client: Client;
	readonly modelsFile: string;
	/**
	 * Sends a question with the server `welcome` and resolves to the answer. @throws {Error} if
	 * there is none.
	 */
	chat(slot: string, messages: readonly Message[], options?: ChatOptions): Promise<ChatAnswer>;
	/** Raw lines of the answer. */
	lines(slot: string, messages?: readonly Message[]): Promise<readonly string[]>;
	log(): string;
};

/** Creates a key file that other users cannot read. */
export const keyFileIn = (folder: string, key: string, mode = 0o600): string => {
	const file = join(folder, 'model.key');
	writeFileSync(file, `${key}\n`);
	chmodSync(file, mode);
	return file;
};

/**
 * Starts the real service with the models of the settings, and the real client. `models` receives
 * the path of the key file.
 */
export const modelService = async (
	models: (keyFile: string) => unknown,
	options: Partial<ServiceOptions> = {},
): Promise<ModelService> => {
	const temp = tempFolder();
	const modelsFile = join(temp.path, 'models.json');
	writeFileSync(modelsFile, JSON.stringify(models(keyFileIn(temp.path, CANARY))));
	const local = await readyService({modelsFile, ...options});
	const client = createClient({baseUrl: local.service.url, apiKey: local.key});
	return {
		local,
		client,
		modelsFile,
		async chat(slot, messages, chatOptions) {
			const reply = await client.chat('welcome', slot, messages, chatOptions);
			if (!reply.ok) throw new Error(reply.failure.message);
			return reply.value;
		},
		async lines(slot, messages = ask('why?')) {
			const {text} = await local.call('POST', `/api/assistant/welcome/${slot}`, {messages});
			return text.split('\n').slice(0, -1);
		},
		log: () => readFileSync(join(local.folder, 'service.log'), 'utf8'),
		async [Symbol.asyncDispose]() {
			await local[Symbol.asyncDispose]();
			temp[Symbol.dispose]();
		},
	};
};
