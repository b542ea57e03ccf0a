import { HOUR_MS } from '../../schemas/domain/durations.ts'
import { AssayError } from '../runtime/errors.ts'
import { cosine } from '../vectors.ts'
import type { Embedder } from './port.ts'

/** Stores each model's first vectors of the fixed texts. */
export interface Fingerprints {
  /** The model's first vectors, or `vectors` for a new model. Rejects with `unavailable` without a database. */
  firstOf(model: string, vectors: readonly Float32Array[]): Promise<readonly Float32Array[]>
}

/** Must never change: models' vectors of these texts are stored. */
const FIXED_TEXTS = [
  'The export of a large board fails with an error.',
  'I would like to sort the list by date.',
  'Wie ändere ich die Sprache der Oberfläche?',
  'Merci, tout fonctionne très bien maintenant.',
  'アプリの起動に時間がかかります。',
]
/** The same model on another machine, or with other texts in a request, exceeds this cosine. */
const LEAST_COSINE = 0.98
const CHECKED_FOR_MS = HOUR_MS

/** The model's name for its server: `bge-m3#2` is `bge-m3` there, and another model than `bge-m3` here. */
export const servedName = (model: string): string => model.replace(/#[^#]*$/, '')

/**
 * An embedder that is refused as `unavailable` when its model answers other vectors, or vectors of another length, than
 * when vectors were first stored under its name: otherwise two models would be mixed, and repeats not be found. Checked
 * before the first texts, and again after an hour.
 */
export const createUnchangedEmbedder = (
  embedder: Embedder,
  fingerprints: Fingerprints,
  now: () => number = Date.now,
): Embedder => {
  const { model, embed } = embedder
  let checkedAt = Number.NEGATIVE_INFINITY
  let checking: Promise<void> | null = null

  const check = async (): Promise<void> => {
    const vectors = await embed(FIXED_TEXTS)
    const first = await fingerprints.firstOf(model, vectors)
    const isSame = first.every((vector, index) => cosine(vector, vectors[index] ?? new Float32Array()) >= LEAST_COSINE)
    if (!isSame) throw changed(model)
    checkedAt = now()
  }

  return {
    ...embedder,
    embed: async texts => {
      if (now() - checkedAt >= CHECKED_FOR_MS) {
        checking ??= check().finally(() => {
          checking = null
        })
        await checking
      }
      return embed(texts)
    },
  }
}

const changed = (model: string): AssayError => {
  const [, number = '1'] = /#(\d+)$/.exec(model) ?? []
  const next = `${servedName(model)}#${Number(number) + 1}`
  return new AssayError(
    'unavailable',
    `The server of the model ${model} answers other vectors than before: it has another model under this name. Serve the earlier model again, or set EMBEDDINGS_MODEL=${next} for all programs: the server is asked for the same name, and all texts are embedded again.`,
  )
}
