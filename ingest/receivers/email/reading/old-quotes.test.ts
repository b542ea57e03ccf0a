import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readThread } from './thread.ts'

const OWN = 'It happens in Firefox, too.'
const quotedOf = (text: string, answers = true) => {
  const { newest, cuts } = readThread(text, answers)
  return { newest, quoted: cuts.flatMap(({ kind, text }) => (kind === 'quoted' ? [text] : [])).join('\n') }
}

describe('an attribution as programs of news and lists write it goes with the lines that it stands above', () => {
  for (const attribution of [
    'In article <1993Apr5.1@v.example> kim@v.example (Kim Lee) writes:',
    'In article <1993Apr5.1@v.example>, kim@v.example (Kim\nLee) writes:',
    'In <1993Apr5.1@v.example> kim@v.example writes...',
    'In message <1993Apr5.1@v.example>, "Kim P. Lee" writes:',
    'In a previous article, kim@v.example (Kim Lee) says:',
    'In comp.exports, kim@v.example (Kim Lee) wrote:',
    'Kim Lee (kim@v.example) wrote:',
    'Kim Lee says:',
    'Kim writes,',
    '"Kim P. Lee" says:',
    'Quoting Kim Lee <kim@v.example>:',
    '* Kim Lee <kim@v.example>:',
    '--- Kim Lee <kim@v.example> wrote:',
    'kim_lee;4711 wrote:',
    'On 15-Feb-99 Kim Lee wrote:',
    'On Nov 17 Kim Lee wrote:',
    'Kim Lee, on the Tue, 20 Apr 93 08:29:21 GMT wrote:',
    '2013.07.03 00:20, Kim Lee rašė:',
    'On Tue, 11 Nov 2003, Kim Lee spake thusly:',
    'In article <2@v.example> lou@v.example (Lou) writes:\nIn article <1@v.example> kim@v.example (Kim Lee) writes:',
  ])
    it(attribution.replaceAll('\n', '⏎'), () => {
      const { newest, quoted } = quotedOf(`${attribution}\n> Which browser is it?\n\n${OWN}`)
      assert.equal(newest, OWN)
      assert.match(quoted, /Which browser is it\?$/)
    })
  it('and what somebody left out stays theirs, below it', () => {
    const { newest } = quotedOf(`On Mon, Nov 23, 2026, Kim Lee wrote:\n[...]\n\n> Which browser is it?\n\n${OWN}`)
    assert.equal(newest, `[...]\n\n${OWN}`)
  })
})

describe('above all that its author wrote, an attribution goes alone where quotes are marked further down', () => {
  for (const attribution of [
    'On Wed, 18 Nov 2026 00:20:59 +0100, Kim Lee <kim@v.example> wrote:',
    'On Wed, 18 Nov 2026 00:20:59 +0100, Kim Lee <kim at v.example> wrote:',
    'kim@v.example (Kim Lee) writes:',
  ])
    it(attribution, () => {
      const { newest } = quotedOf(`${attribution}\n\nThanks.\n\n> Which browser is it?\n\n${OWN}`)
      assert.equal(newest, `Thanks.\n\n${OWN}`)
    })
  it('and stays where nothing is marked', () => {
    const text = `kim@v.example (Kim Lee) writes:\n\nThanks.\n\n${OWN}`
    assert.equal(quotedOf(text, false).newest, text)
  })
})

describe('lines with another mark are quoted below an attribution, and further down', () => {
  for (const mark of [
    '|',
    '| ',
    ': ',
    ':',
    '} ',
    '|> ',
    '-> ',
    '# ',
    '+',
    '% ',
    'KL> ',
    '    Kim> ',
    '   > ',
    'K > ',
    '$ ',
  ])
    it(JSON.stringify(mark), () => {
      const quote = (text: string) => `${mark}${text}\n${mark}and which version of it?`
      const { newest } = quotedOf(
        `On 29 June 2026 at 20:45, Kim Lee wrote:\n${quote('Which browser is it')}\n\n${OWN}\n\n${quote('Or is it all')}\n\nAll.`,
      )
      assert.equal(newest, `${OWN}\n\nAll.`)
    })
  it('initials that a line announces', () => {
    const { newest } = quotedOf(`>>>>> "KL" == Kim Lee <kim@v.example> writes:\n\n    KL> Which browser?\n\n${OWN}`)
    assert.equal(newest, OWN)
  })
  it('an indent alone, up to an empty line', () => {
    const { newest, quoted } = quotedOf(
      `In article <1@v.example> kim@v.example (Kim Lee) writes:\n\n   Which browser is it, and\n   which version of it?\n\n${OWN}`,
    )
    assert.equal(newest, OWN)
    assert.match(quoted, /which version of it\?$/)
  })
})

describe('prose with a mark is quoted in an answer, without an attribution', () => {
  const prose = (mark: string) =>
    `${mark}We would like to know which browser it is that\n${mark}you use when the export of your board stops.\n\n${OWN}`
  for (const mark of ['| ', ': ', '|> ', 'KL> ', '   >'])
    it(JSON.stringify(mark), () => {
      assert.equal(quotedOf(prose(mark)).newest, OWN)
      assert.notEqual(quotedOf(prose(mark), false).newest, OWN)
    })
})

describe('where all would be cut, its marks say what is quoted', () => {
  it('below an attribution with something left out', () => {
    const text = `On Mon, Nov 23, 2026 at 7:21 PM Kim Lee <kim@v.example> wrote:\nSomething of theirs.\n\n> Which browser is it?\n\n${OWN}`
    assert.equal(quotedOf(text).newest, `Something of theirs.\n\n${OWN}`)
  })
})

describe('what only looks so is its author’s', () => {
  for (const text of [
    'Our admin says:\n\nthe export stops at noon.',
    'In article 5 of the contract Kim Lee writes:\nexports are free.',
    'The table is wrong:\n\n| name | rows |\n| Kim | 12 |',
    'It fails so:\n\nSQL> select name from board where owner is null\nSQL> commit and then leave the session again\n\nSQL> quit',
    'We chatted:\n\nKim> it stops at ten thousand rows every single time\nKim> and then nothing at all happens for me\nLou> can you tell me which browser it is please\nLou> and when it began to stop like this',
    'The script:\n\n# It reads the board and writes all of it\n# to a file that is named by the day\nrun',
    'Kim Lee:\n: - ) is what the app shows.',
    ',----[ our log ]\n| the export of the board was begun at noon and\n| then it was never ended by anybody at all\n`----',
    'Kim Lee <kim@v.example> wrote:\n\n    First of all I like the export.\n\n    Second it is slow, which is why I write\nthis to you.',
  ])
    it(text.slice(0, 40).replaceAll('\n', '⏎'), () => assert.equal(readThread(text, false).newest, text))
  it('a conversation, also in an answer', () => {
    const text =
      'We chatted:\n\nKim> it stops at ten thousand rows every single time\nKim> and then nothing at all happens for me\nLou> can you tell me which browser it is please\nLou> and when it began to stop like this'
    assert.equal(readThread(text, true).newest, text)
  })
})
