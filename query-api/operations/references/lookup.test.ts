import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { isAssayError } from '../../../infra/runtime/errors.ts'
import { newId } from '../../../schemas/domain/ids.ts'
import { failsWith, type OperationsKit, startOperations, type Workspace } from '../testing.ts'

let kit: OperationsKit
let workspace: Workspace

before(async () => {
  kit = await startOperations()
})
after(() => kit.stop())
beforeEach(async () => {
  workspace = await kit.workspace()
})

const lookup = (mode: string, input: object = {}) => workspace.call('service_lookup', mode, input)

test('a claim answers by id, reference and title, with who or what attached each signal and why', async () => {
  const signal = await workspace.signal({ text: 'The export never ends.' })
  const claim = await workspace.claim('Exports time out', [signal])
  for (const id of [claim.id, claim.reference, claim.reference.toLowerCase(), ' exports TIME out ']) {
    const { data } = await lookup('claim', { id })
    assert.equal(data.id, claim.id)
    const [evidence] = data.evidence.items
    assert.equal(evidence.reference, signal.reference)
    assert.deepEqual([evidence.attached_by, evidence.actor, evidence.reason], ['cluster', 'test', 'Starts the claim.'])
  }
})

test('depth summary leaves the evidence out and says how much there is', async () => {
  const claim = await workspace.claim('Exports time out', [await workspace.signal({ text: 'The export never ends.' })])
  const { data } = await lookup('claim', { id: claim.id, depth: 'summary' })
  assert.deepEqual(data.evidence, { count: 1, items: [] })
})

test('evidence goes on with the cursor, each signal once', async () => {
  const signals = []
  for (let index = 0; index < 7; index += 1)
    signals.push(await workspace.signal({ text: `Export ${index} never ends.` }))
  const claim = await workspace.claim('Exports time out', signals)
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const { data, meta } = await lookup('claim', { id: claim.id, limit: 3, ...(cursor ? { cursor } : {}) })
    assert.equal(data.evidence.count, 7)
    seen.push(...data.evidence.items.map((one: { reference: string }) => one.reference))
    cursor = meta.next_cursor ?? undefined
  } while (cursor !== undefined)
  assert.deepEqual(seen, signals.map(({ reference }) => reference).reverse())
})

test('a cursor of another list, or no cursor at all, is refused with what to send instead', async () => {
  for (let index = 0; index < 2; index += 1) await workspace.signal({ text: `Export ${index} never ends.` })
  const { meta } = await lookup('triage', { limit: 1 })
  assert.ok(meta.next_cursor)
  await assert.rejects(lookup('proposals', { cursor: meta.next_cursor }), failsWith('invalid_input'))
  await assert.rejects(lookup('triage', { cursor: 'page two' }), failsWith('invalid_input'))
})

test('a name that fits nothing answers what it may have meant', async () => {
  const claim = await workspace.claim('Exports time out')
  await assert.rejects(lookup('claim', { id: 'slow exports' }), error => {
    assert.ok(isAssayError(error))
    assert.equal(error.code, 'not_found')
    assert.deepEqual(
      (error.context.candidates as { reference: string }[]).map(({ reference }) => reference),
      [claim.reference],
    )
    return true
  })
  await assert.rejects(lookup('claim', { id: 'CLM-999999999' }), failsWith('not_found'))
  await assert.rejects(lookup('claim', { id: `" or 'a' <-> & | ! :*` }), failsWith('not_found'))
})

test('a signal answers whole at depth full and says where it is cut before', async () => {
  const text = `It hangs. ${'😀'.repeat(3000)}`
  const { id, reference } = await workspace.signal({ text })
  const { data: summary } = await lookup('signal', { id: reference, depth: 'summary' })
  assert.equal(summary.status, 'inserted')
  assert.deepEqual(summary.signal.text_truncation, {
    shown_characters: 280,
    total_characters: 3010,
    full_text_call: `service_lookup mode signal, id ${reference}, depth full`,
  })
  assert.equal(summary.signal.metadata, undefined)
  const { data: full } = await lookup('signal', { id, depth: 'full' })
  assert.equal(full.signal.text, text)
  assert.equal(full.signal.text_truncation, null)
  assert.deepEqual(full.signal.metadata, { plan: 'free' })
})

test('a duplicate answers as its original and says so', async () => {
  const original = await workspace.signal({ text: 'The export never ends.' })
  const duplicate = await workspace.occurrence(original.id)
  const { data } = await lookup('signal', { id: duplicate })
  assert.deepEqual(
    [data.status, data.duplicate.id, data.duplicate.original],
    ['duplicate', duplicate, original.reference],
  )
  assert.deepEqual([data.signal.id, data.signal.occurrences], [original.id, 1])
})

test('a dead signal says at which step it died and why, unless the reason is sealed', async () => {
  const open = await workspace.deadLetter({ step: 'embed', sealed: false, message: 'The text has no words.' })
  const { data } = await lookup('signal', { id: open })
  assert.deepEqual(
    [data.status, data.signal, data.dead_letter.step, data.dead_letter.message],
    ['dead', null, 'embed', 'The text has no words.'],
  )
  const sealed = await workspace.deadLetter({ step: 'scrub', sealed: true, message: 'somebody@example.com' })
  const answer = await lookup('signal', { id: sealed })
  assert.equal(answer.data.dead_letter.message, null)
  assert.ok(!JSON.stringify(answer).includes('somebody@example.com'))
})

test('an id that nobody was given is not found', async () => {
  await assert.rejects(lookup('signal', { id: newId() }), failsWith('not_found'))
  await assert.rejects(lookup('signal', { id: 'SIG-1' }), failsWith('not_found'))
  await assert.rejects(lookup('signal', { id: 'the one from yesterday' }), failsWith('not_found'))
})

test('the search finds by words and by likeness, what has all the words first, of the kinds asked for', async () => {
  const both = await workspace.signal({ text: 'The CSV export never ends for large accounts.' })
  const one = await workspace.signal({ text: 'CSV has the wrong separator.' })
  const alike = await workspace.signal({ text: 'Exporting accounts, largest ones, neverending.' })
  await workspace.signal({ text: 'Login loops on Safari.' })
  const claim = await workspace.claim('CSV export never ends')
  const { data } = await lookup('search', { query: 'csv export' })
  const found: string[] = data.items.map((item: { reference: string }) => item.reference)
  assert.ok(found.includes(claim.reference))
  assert.ok(found.indexOf(both.reference) < found.indexOf(one.reference))
  assert.equal(new Set(found).size, found.length)
  const { data: signals } = await lookup('search', { query: 'export large accounts never ends', types: ['signal'] })
  const ranked: string[] = signals.items.map((item: { reference: string }) => item.reference)
  assert.equal(ranked[0], both.reference)
  assert.ok(ranked.includes(alike.reference))
  assert.ok(signals.items.every((item: { type: string }) => item.type === 'signal'))
})

test('a reference in the query comes first, whatever else the words find', async () => {
  const claim = await workspace.claim('Login loops')
  const signal = await workspace.signal({ text: 'The CSV export never ends.' })
  const { data } = await lookup('search', { query: `csv export, like ${claim.reference.toLowerCase()} and CLM-99999` })
  const found = data.items.map((item: { reference: string }) => item.reference)
  assert.deepEqual(found.slice(0, 2), [claim.reference, signal.reference])
})

test('filters keep what passes all of them, and leave out kinds without the field', async () => {
  const desk = await workspace.signal({ text: 'The CSV export never ends.', source: 'desk', classification: 'problem' })
  const forum = await workspace.signal({ text: 'The CSV export hangs.', source: 'forum', classification: 'problem' })
  await workspace.signal({ text: 'The CSV export could be quicker.', source: 'desk', classification: 'idea' })
  await workspace.claim('CSV export')
  const found = async (filters: object[]) => {
    const { data } = await lookup('search', { query: 'csv export', filters })
    return data.items.map((item: { reference: string }) => item.reference).sort()
  }
  const problem = { field: 'classification', op: 'in', values: ['problem'] }
  assert.deepEqual(await found([problem]), [desk.reference, forum.reference].sort())
  assert.deepEqual(await found([problem, { field: 'source', op: 'not_in', values: ['desk'] }]), [forum.reference])
  const unknown = found([{ field: 'source', op: 'in', values: ["x') or true --"] }])
  await assert.rejects(unknown, failsWith('invalid_input', /nearest that there are: ‹(forum|desk)›/))
  await assert.rejects(found([{ field: 'actor_key', op: 'in', values: ['x'] }]), failsWith('invalid_input'))
})

test('words of another workspace are not found, by any way of the search', async () => {
  const other = await kit.workspace()
  await other.signal({ text: 'The turntable wobbles.' })
  await other.claim('Turntable wobbles')
  await workspace.signal({ text: 'Login loops on Safari.' })
  const { data } = await lookup('search', { query: 'turntable wobbles SIG-2 CLM-1' })
  assert.ok(!JSON.stringify(data).toLowerCase().includes('turntable'))
})

test('Living Documents, the newest version of each, and notes are found by their words', async () => {
  const solution = await workspace.call('service_decide', 'create_solution', {
    title: 'Faster exports',
    comment: 'Yes.',
  })
  const id = solution.data.solution.reference
  const write = (markdown: string, version?: number) =>
    workspace.call('service_decide', 'living_doc', {
      solution_id: id,
      markdown,
      comment: 'As agreed.',
      ...(version === undefined ? {} : { version }),
    })
  await write('# Plan\n\nUse a turntable.')
  await write('# Plan\n\nUse a gramophone.', 1)
  await workspace.call('service_capture', 'knowledge', { id, text: 'The gramophone is broken.' })
  const { data } = await lookup('search', { query: 'gramophone' })
  assert.deepEqual(data.items.map((item: { type: string; reference: string }) => [item.type, item.reference]).sort(), [
    ['living_doc', id],
    ['note', null],
  ])
  const { data: older } = await lookup('search', { query: 'turntable', types: ['living_doc'] })
  // The newest version may be found by what it means; the older one is found by nothing.
  assert.doesNotMatch(JSON.stringify(older.items), /turntable/)
})

test('beginnings, forms, errors, names and details find what is meant, and the answer says where it matched', async () => {
  const signal = await workspace.signal({
    text: 'The export to CSV fails for large accounts.',
    actorName: 'Rosalind Franklin',
    source: 'Lighthouse desk',
    metadata: { ticket: 'TICKET-4711' },
  })
  await workspace.signal({ text: 'Release 7: CSV and PDF are faster.' })
  const claim = await workspace.claim('The export to CSV fails', [signal])
  const first = async (query: string, types: readonly string[] = ['signal']) => {
    const { data } = await lookup('search', { query, types })
    return [data.items[0]?.reference, data.items[0]?.matched]
  }
  for (const query of ['expor', 'exports', 'exprot', 'large acounts', 'failing exports']) {
    assert.deepEqual(await first(query), [signal.reference, 'title'], query)
  }
  assert.deepEqual(await first('rosalind'), [signal.reference, 'person'])
  assert.deepEqual(await first('lighthouse'), [signal.reference, 'source'])
  assert.deepEqual(await first('ticket-4711'), [signal.reference, 'detail'])
  assert.deepEqual(await first('export csv fails', ['claim', 'note']), [claim.reference, 'title'])
})

test('what a mail has beside its text is found behind what says it itself, by no list, and says where it stands', async () => {
  const own = await workspace.signal({
    text: 'The narwhal of the start page has the wrong colour in the newest release.',
  })
  const mail = await workspace.signal({
    text: 'Nothing opens any more.',
    channel: 'email',
    cuts: { cut_quoted: 'Is it about the narwhal of the start page?', cut_signature: 'Rosalind, Pangolin Ltd.' },
  })
  const { data } = await lookup('search', { query: 'narwhal', types: ['signal'] })
  assert.deepEqual(
    data.items.map(({ reference, matched }: { reference: string; matched: string }) => [reference, matched]),
    [
      [own.reference, 'title'],
      [mail.reference, 'cut'],
    ],
  )
  const [found] = (await lookup('search', { query: 'pangolin' })).data.items
  assert.deepEqual([found.reference, found.matched], [mail.reference, 'cut'])
  assert.doesNotMatch(JSON.stringify(found), /Pangolin/)
  const listed = await workspace.run('list_signals', { text: 'pangolin' })
  assert.deepEqual((listed.data as { readonly items: readonly unknown[] }).items, [])
})

test('what a mail has beside its text answers with depth full alone, page by page behind the text', async () => {
  const quoted = `It hangs. ${'😀'.repeat(9000)} So it was.`
  const text = `Still so. ${'x'.repeat(3000)}`
  const cuts = { cut_signature: 'Rosalind', cut_quoted: quoted, cut_omitted: 12 }
  const { id, reference } = await workspace.signal({ text, channel: 'email', cuts })
  const characters = 8 + Array.from(quoted).length
  for (const depth of ['summary', 'standard']) {
    const { data } = await lookup('signal', { id: reference, depth })
    assert.deepEqual(data.signal.cuts, { characters, omitted_characters: 12 })
  }
  const read = { text: '', signature: '', quoted: '' }
  let cursor: string | undefined
  let pages = 0
  do {
    const { data, meta } = await lookup('signal', { id, depth: 'full', ...(cursor ? { cursor } : {}) })
    read.text += data.signal.text
    assert.equal(data.signal.text_truncation, null)
    for (const part of data.signal.cuts.parts) read[part.kind as keyof typeof read] += part.text
    cursor = meta.next_cursor ?? undefined
    pages += 1
  } while (cursor !== undefined)
  assert.deepEqual(read, { text, signature: 'Rosalind', quoted })
  assert.ok(pages > 1)
  const plain = await workspace.signal({ text: 'Nothing else.' })
  assert.equal((await lookup('signal', { id: plain.id, depth: 'full' })).data.signal.cuts, null)
})

test('a claim is found by the meaning of its signals, and a Solution by its own once somebody searched', async () => {
  const signal = await workspace.signal({ text: 'Downloading the spreadsheet never finishes and hangs.' })
  const claim = await workspace.claim('Zebra', [signal])
  const { data: made } = await workspace.call('service_decide', 'create_solution', {
    title: 'Downloads of spreadsheets in the background',
    comment: 'They hang.',
  })
  const matched = async (query: string) =>
    Object.fromEntries(
      (await lookup('search', { query, types: ['claim', 'solution'] })).data.items.map(
        (item: { id: string; matched: string }) => [item.id, item.matched],
      ),
    )
  assert.equal((await matched('Downloading the spreadsheet never finishes'))[claim.id], 'meaning')
  await kit.embedded()
  const { rows } = await kit.database.pool.query(
    'select kind from search_entries where model is not null and id = $1',
    [made.solution.id],
  )
  assert.deepEqual(rows, [{ kind: 'solution' }])
})

test('a merged claim is not found by its words', async () => {
  const [survivor, merged] = [await workspace.claim('Export is slow'), await workspace.claim('Export takes hours')]
  await kit.database.pool.query('update claims set merged_into = $1 where id = $2', [survivor.id, merged.id])
  const { data } = await lookup('search', { query: 'export', types: ['claim'] })
  assert.deepEqual(
    data.items.map((item: { id: string }) => item.id),
    [survivor.id],
  )
})

test('a search for signs alone finds nothing and fails at nothing', async () => {
  await workspace.signal({ text: 'It hangs.' })
  const { data } = await lookup('search', { query: `' & | ! <-> :* ( "`, types: ['claim'] })
  assert.deepEqual(data, { count: 0, items: [] })
})

test('a reference of any kind resolves, and words answer what is near', async () => {
  const signal = await workspace.signal({ text: 'It hangs.' })
  const claim = await workspace.claim('Exports time out', [signal])
  const { data: exact } = await lookup('reference', { query: signal.reference })
  assert.equal(exact.exact, true)
  assert.deepEqual([exact.items[0].kind, exact.items[0].id], ['signal', signal.id])
  const { data: near } = await lookup('reference', { query: 'exports' })
  assert.equal(near.exact, false)
  assert.deepEqual(
    near.items.map((item: { id: string }) => item.id),
    [claim.id],
  )
  await assert.rejects(lookup('reference', { query: 'nothing like it' }), failsWith('not_found'))
})

test('the snapshot leads with the claims that have the most evidence and says what to do next', async () => {
  const weak = await workspace.claim('Wrong separator', [
    await workspace.signal({ text: 'CSV separator.', actorKey: 'a' }),
  ])
  const strong = await workspace.claim('Exports time out', [
    await workspace.signal({ text: 'The export never ends.', actorKey: 'a' }),
    await workspace.signal({ text: 'Export spinner for ages.', actorKey: 'b' }),
  ])
  const { data, meta } = await workspace.call('service_orient', 'snapshot')
  assert.deepEqual(
    data.top_claims.map((claim: { reference: string }) => claim.reference),
    [strong.reference, weak.reference],
  )
  assert.deepEqual(data.counts.triage_by_classification, { problem: 3 })
  assert.deepEqual([data.recent_signals.length, data.counts.signals_in_triage], [3, 3])
  const calls = data.recommended_next_tools.map((next: { tool: string; mode: string }) => `${next.tool} ${next.mode}`)
  assert.ok(calls.includes('service_lookup triage') && calls.includes('service_decide create_solution'))
  assert.equal(meta.timestamp, kit.now.toISOString())
})
