import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { startTestDatabase, type TestDatabase } from '../../../infra/postgres/testing.ts'
import { followedClassifiers } from '../../../model/learning/stored-classifier.ts'
import { lockSignals, setSignals } from '../../../model/triage/triage.ts'
import { followWorkspaces } from '../../../model/workspaces/follow.ts'
import { newId, type SignalId, type WorkspaceId } from '../../../schemas/domain/ids.ts'
import type { Classification } from '../../../schemas/domain/vocabulary.ts'
import { createBuiltInClassifier } from '../../steps/classify/built-in/classifier.ts'
import { createClassify } from '../../steps/classify/classify.ts'
import { withContent } from '../../steps/testing.ts'
import { addSignals, newWorkspace, runJob } from '../testing.ts'
import { createLearnJob } from './learn.ts'

let db: TestDatabase
let workspace: WorkspaceId
before(async () => {
  db = await startTestDatabase()
})
after(() => db.stop())
beforeEach(async () => {
  workspace = await newWorkspace(db)
})

const classifier = createBuiltInClassifier()
const classifiersOf = (version = classifier.version, database = db.database, now?: () => number) =>
  followWorkspaces(database, followedClassifiers(version), now)
const learn = () => runJob(createLearnJob({ database: db.database, classifier }), workspace)

/** In this workspace reports begin with a word of their own, which no list of words has. */
const report = (word: string, number: number): string => `${word} ${number}: the pallets of hall ${number % 7}`
const LABELS = { zorblat: 'problem', quixim: 'idea', ferning: 'question' } as const
const WORDS = ['zorblat', 'quixim', 'ferning'] as const

const say = (ids: readonly SignalId[], fields: Parameters<typeof setSignals>[2]) =>
  db.database.transaction({ role: 'assay_app', workspaceId: workspace }, async transaction =>
    setSignals(transaction, [...(await lockSignals(transaction, ids)).values()], fields),
  )

const correct = (ids: readonly SignalId[], classification: Classification) =>
  say(ids, { classification, classification_confidence: 1, classification_version: 'member' })

/** So many reports of each word, which somebody classified. */
const teachWords = async (each: number): Promise<readonly SignalId[]> => {
  const ids: SignalId[] = []
  for (const word of WORDS) {
    const added = await addSignals(
      db,
      workspace,
      ...Array.from({ length: each }, (_, at) => [report(word, at)] as const),
    )
    await correct(added, LABELS[word])
    ids.push(...added)
  }
  return ids
}

const stored = async () =>
  (await db.pool.query('select * from learned_classifiers where workspace_id = $1', [workspace])).rows[0]

const classify = async (text: string, at: WorkspaceId = workspace) => {
  const taught = classifiersOf()
  const [result] = await createClassify({ classifier, taught }).run([{ ...withContent(text), workspace_id: at }])
  assert.equal(result?.kind, 'next')
  return result.adds.classification
}

describe('learn', () => {
  it('has the workspace’s own words speak when the next signal is classified', async () => {
    await teachWords(20)
    const before = await classify(report('quixim', 99))
    assert.equal(before.version, classifier.version)
    assert.partialDeepStrictEqual(await learn(), { done: 60, failed: 0, total: 60 })
    for (const word of WORDS) {
      const { label, version } = await classify(report(word, 99))
      assert.deepEqual([label, version], [LABELS[word], `${classifier.version} with lessons/1`])
    }
    const { lessons, corrections, asked, answered_right: right, weight } = await stored()
    assert.deepEqual([lessons, corrections, asked], [60, 60, 60])
    assert.ok(right > 55 && weight > 0.5, `${right} right, weight ${weight}`)
  })

  it('counts an acceptance less than a correction, and what was taken back not at all', async () => {
    const ids = await teachWords(7)
    const accepted = await addSignals(db, workspace, ['The export fails'], ['The login fails'], ['Nothing at all'])
    await say(accepted, { state: 'accepted' })
    await say(ids.slice(0, 1), { classification_version: classifier.version })
    await learn()
    const { lessons, corrections, changes, learned_changes: learned } = await stored()
    assert.deepEqual([lessons, corrections, learned], [23, 20, changes])
  })

  it('forgets what it learned when fewer than 20 lessons are left', async () => {
    const ids = await teachWords(7)
    await learn()
    await say(ids, { classification_version: classifier.version })
    await learn()
    const { lessons, terms, weight, revision } = await stored()
    assert.deepEqual([lessons, terms, weight, revision], [0, null, 0, 2])
    assert.equal((await classify(report('quixim', 99))).version, classifier.version)
  })

  it('never speaks in another workspace, nor where an owner switched it off, nor beside another classifier', async () => {
    await teachWords(10)
    await learn()
    const other = await newWorkspace(db)
    const taught = classifiersOf()
    const batch = [workspace, other].map(id => ({ ...withContent(report('quixim', 99)), workspace_id: id }))
    const results = await createClassify({ classifier, taught }).run(batch)
    assert.deepEqual(
      results.map(result => result.kind === 'next' && result.adds.classification.version),
      [`${classifier.version} with lessons/1`, classifier.version],
    )
    assert.equal((await classifiersOf('another')([workspace])).size, 0)
    await db.pool.query('update workspaces set learns = false where id = $1', [workspace])
    assert.equal((await classify(report('quixim', 99))).version, classifier.version)
  })

  it('is followed by a processor that runs, three seconds later', async () => {
    await teachWords(10)
    let now = 0
    const follow = classifiersOf(classifier.version, db.database, () => now)
    const revision = async () => (await follow([workspace])).get(workspace)?.revision
    assert.equal(await revision(), undefined)
    await learn()
    assert.equal(await revision(), undefined)
    now = 3001
    assert.equal(await revision(), 1)
    await learn()
    now = 6002
    assert.equal(await revision(), 2)
  })

  it('asks for many workspaces that have taught nothing once in three seconds, whichever a batch has', async () => {
    let now = 0
    let transactions = 0
    const counting = new Proxy(db.database, {
      get: (database, name, receiver) => {
        if (name === 'transaction') transactions += 1
        return Reflect.get(database, name, receiver)
      },
    })
    const follow = classifiersOf(classifier.version, counting, () => now)
    const workspaces = Array.from({ length: 200 }, () => newId<WorkspaceId>())
    const batches = Array.from({ length: 10 }, (_, at) => workspaces.filter((_id, place) => place % 10 === at))
    for (const batch of batches) await follow(batch)
    assert.equal(transactions, batches.length)
    for (const batch of batches) await follow(batch)
    assert.equal(transactions, batches.length)
    now = 3001
    for (const batch of batches) await follow(batch)
    assert.equal(transactions, batches.length + 1)
  })

  it('that people taught mistakes alone takes what they left for right', async () => {
    const texts = Array.from({ length: 200 }, (_, at) => [`It crashes with error ${at} in hall ${at % 7}`] as const)
    await addSignals(db, workspace, ...texts)
    const wrong = await addSignals(
      db,
      workspace,
      ...Array.from({ length: 60 }, (_, at) => [`Zorblat ${at}: it crashes in hall ${at % 7}`] as const),
    )
    await correct(wrong, 'idea')
    await learn()
    assert.equal((await classify('It crashes with error 99 in hall 3')).label, 'problem')
    assert.equal((await classify('Zorblat 99: it crashes in hall 3')).label, 'idea')
  })

  it('leaves the other kinds as they were when people corrected to one kind alone', async () => {
    const places = Array.from({ length: 40 }, (_, at) => `hall ${at % 7} of depot ${at}`)
    const asked = (place: string) => `How do I book a lorry for ${place}?`
    const failed = (place: string) => `The board crashes with an error in ${place}`
    const left = await addSignals(db, workspace, ...places.flatMap(place => [[asked(place)], [failed(place)]] as const))
    const wrong = await addSignals(
      db,
      workspace,
      ...places.slice(0, 25).map(place => [`Zorblat crashes with an error in ${place}`] as const),
    )
    await say(left.slice(0, 40), { classification: 'question' })
    const zorblat = 'Zorblat crashes with an error in hall 3 of depot 99'
    const before = await classify(zorblat)
    await correct(wrong, 'idea')
    await learn()
    const { label, confidence } = await classify(zorblat)
    assert.ok(label === 'idea' || confidence < before.confidence - 0.05, `${label}, ${confidence}`)
    assert.equal((await classify(asked('hall 3 of depot 99'))).label, 'question')
    assert.equal((await classify(failed('hall 3 of depot 99'))).label, 'problem')
  })

  it('learns nothing of mistakes alone where nothing was left to compare them with', async () => {
    await correct(
      await addSignals(
        db,
        workspace,
        ...Array.from({ length: 25 }, (_, at) => [`It crashes with error ${at}`] as const),
      ),
      'idea',
    )
    await learn()
    assert.equal((await stored()).weight, 0)
    assert.equal((await classify('How do I book a lorry?')).label, 'question')
    assert.equal((await classify('It crashes with error 99')).label, 'problem')
  })

  it('reads a title of the metadata, as the classify step does', async () => {
    const ids: SignalId[] = []
    for (const word of WORDS) {
      const metadata = JSON.stringify({ title: word })
      const texts = Array.from({ length: 10 }, (_, at) => `${at}: the pallets of hall ${at % 7}`)
      const added = await addSignals(db, workspace, ...texts.map(text => [text, { content: { metadata } }] as const))
      await correct(added, LABELS[word])
      ids.push(...added)
    }
    await learn()
    const taught = classifiersOf()
    const batch = WORDS.map(word => ({
      ...withContent('99: the pallets of hall 3', { metadata: JSON.stringify({ title: word }) }),
      workspace_id: workspace,
    }))
    const results = await createClassify({ classifier, taught }).run(batch)
    assert.deepEqual(
      results.map(result => result.kind === 'next' && result.adds.classification.label),
      WORDS.map(word => LABELS[word]),
    )
  })

  it('fails, and says why, where a model server classifies', async () => {
    const { read: _, ...server } = classifier
    await assert.rejects(runJob(createLearnJob({ database: db.database, classifier: server }), workspace), {
      code: 'invalid_configuration',
    })
  })
})
