import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TUNING } from '../labelled.testing.ts'
import { createBuiltInClassifier, MODEL } from './classifier.ts'
import { featuresOf } from './features.ts'

const classifier = createBuiltInClassifier()
const label = async (text: string, event: string | null = null) => (await classifier.classify({ text, event })).label

test('plain cases are told apart, in several languages', async () => {
  for (const [text, expected] of [
    ['The export fails with an error', 'problem'],
    ['Please add a dark mode', 'idea'],
    ['How do I invite a colleague?', 'question'],
    ['Der Export funktioniert nicht', 'problem'],
    ["J'aimerais une option pour trier", 'idea'],
    ['¿Cómo puedo exportar?', 'question'],
    ['エクスポートが動かない', 'problem'],
  ] as const) {
    assert.equal(await label(text), expected, text)
  }
})

test('case, accents and curly apostrophes make no difference', async () => {
  const plain = await classifier.classify({ text: "l'application ne fonctionne pas, c'est genant", event: null })
  const written = await classifier.classify({ text: 'L’APPLICATION NE FONCTIONNE PAS, c’est gênant', event: null })
  assert.equal(written.label, plain.label)
  assert.ok(Math.abs(written.confidence - plain.confidence) < 0.1)
})

test('a subject of one or two words above a text is not read', async () => {
  const text = 'The price of butter rises, show me what each recipe costs.'
  const alone = await classifier.classify({ text, event: null })
  for (const subject of ['Question', 'Quick one', 'Problem'])
    assert.deepEqual(await classifier.classify({ text: `${subject}\n\n${text}`, event: null }), alone, subject)
  const asked = (subject: string, words: string) => classifier.classify({ text: `${subject}\n\n${words}`, event: null })
  // A longer one says something, and so does one above hardly anything.
  assert.notDeepEqual(await asked('Question on butter', text), alone)
  assert.notDeepEqual(
    await asked('Question', 'On butter.'),
    await classifier.classify({ text: 'On butter.', event: null }),
  )
})

test('what says too little stays unclassified, whatever its script', async () => {
  for (const text of ['', '?', 'Hello', 'ok', '12345', '👍', '\ud83d', 'Grüße aus dem Büro', '谢谢']) {
    assert.equal(await label(text), 'unclassified', text)
  }
})

test('praise is no kind by itself, and hides none that comes with it', async () => {
  for (const [text, expected] of [
    ['I love this app, my whole family has been on it every single day for years!', 'unclassified'],
    ['Great app, does what it says. Best one that I have come across so far 😍', 'unclassified'],
    ['Worst app ever, what a waste of time', 'unclassified'],
    ['Super Anwendung, ich bin begeistert und nehme sie jeden Tag', 'unclassified'],
    ['Great app, but it crashes whenever I open the map. Please fix!', 'problem'],
    ['I love it. Only the sync stopped working after the update', 'problem'],
    ['Great app, but I wish it had a dark mode', 'idea'],
    ['Belle application, mais il serait bien de pouvoir trier la liste', 'idea'],
  ] as const) {
    assert.equal(await label(text), expected, text)
  }
})

test('the event decides where the text does not, and no more', async () => {
  assert.equal(await label('Dark theme on mobile', 'feature_request.created'), 'idea')
  assert.equal(await label('The dark theme on mobile', 'bug.reported'), 'problem')
  assert.equal(await label('It does not work: the export fails with an error', 'feature_request'), 'problem')
})

test('a word inside of another word says nothing', () => {
  assert.ok(!featuresOf('The debugging view and the terrorism report', null).has('fault'))
  assert.ok(featuresOf('The bug in the view and the error in the report', null).has('fault'))
})

test('a longer term hides those inside of it', async () => {
  assert.notEqual(await label('I have no idea where the settings are'), 'idea')
  assert.equal(await label('No problem at all, thank you!'), 'unclassified')
})

test('a question mark in a link asks nothing', async () => {
  const link = 'https://desk.example/list?page=2&sort=asc'
  assert.equal(await label(`See ${link}`), 'unclassified')
})

test('a text of 50,000 characters is read from its beginning alone', async () => {
  assert.equal(await label(`${'x '.repeat(24_000)} it crashes`), await label('x '.repeat(24_000)))
  assert.equal(await label(`It crashes with an error. ${'x '.repeat(24_000)}`), 'problem')
})

test('every label comes with a confidence of at most one, and one that is unsure stays unclassified', async () => {
  for (const { text, event } of TUNING) {
    const given = await classifier.classify({ text, event: event ?? null })
    assert.ok(given.confidence > 0 && given.confidence <= 1)
    assert.ok(given.label === 'unclassified' || given.confidence >= MODEL.leastConfidence)
  }
})
