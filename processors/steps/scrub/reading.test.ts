import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reading } from './reading.ts'
import { redact } from './redact.ts'

for (const [written, clean] of [
  ['write to support＠example．com today', 'write to [EMAIL] today'],
  ['phone ＋４４ ２０ ７９４６ ０１２３!', 'phone [PHONE]!'],
  ['card ٤٢٤٢ ٤٢٤٢ ٤٢٤٢ ٤٢٤٢ and 𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐.', 'card [CARD] and [CARD].'],
  ['card 4242\u00a04242\u202f4242\u20094242, 4242\u20114242\u20134242\u20124242', 'card [CARD], [CARD]'],
  ['sup\u200bport@exam\u00adple.com, 4242\u200b4242\u20604242\ufeff4242', '[EMAIL], [CARD]'],
  ['mail=a%40example.org&b=a%2540example.org', 'mail=[EMAIL]&b=[EMAIL]'],
  ['?tel=%2B44+20+7946+0123&x=1', '?tel=[PHONE]&x=1'],
  ['?ip=203%2E0%2E113%2E7', '?ip=[IP_ADDRESS]'],
  ['a&#64;example.org a&#x40;example.org a&commat;example&period;org', '[EMAIL] [EMAIL] [EMAIL]'],
  ['{\\"mail\\":\\"a\\u0040example.org\\"}', '{\\"mail\\":\\"[EMAIL]\\"}'],
  ['log: first\\n020 7946 0123\\nlast', 'log: first\\n[PHONE]\\nlast'],
  ['a [at] example.org, a(at)example(dot)org, a {at} example [.] org', '[EMAIL], [EMAIL], [EMAIL]'],
  ['203[.]0[.]113[.]7 and 203(.)0(.)113(.)7', '[IP_ADDRESS] and [IP_ADDRESS]'],
  ['in base64: YUBleGFtcGxlLm9yZyBpcyBtZQ==.', 'in base64: [EMAIL].'],
  ['token=eyJhbGciOiJub25lIn0.eyJlbWFpbCI6ImFAZXhhbXBsZS5vcmcifQ.', 'token=eyJhbGciOiJub25lIn0.[EMAIL].'],
  ['a﹫example.org, aⓐexample.org, a＠example。org', '[EMAIL], [EMAIL], [EMAIL]'],
  ['card ④②④②④②④②④②④②④②④②, ❹❷❹❷❹❷❹❷❹❷❹❷❹❷❹❷, ➃➁➃➁➃➁➃➁➃➁➃➁➃➁➃➁', 'card [CARD], [CARD], [CARD]'],
  ['card ⓸⓶⓸⓶⓸⓶⓸⓶⓸⓶⓸⓶⓸⓶⓸⓶, ⁴²⁴²⁴²⁴²⁴²⁴²⁴²⁴², ₄₂₄₂₄₂₄₂₄₂₄₂₄₂₄₂', 'card [CARD], [CARD], [CARD]'],
  ['an area of 12 m² and a footnote¹²', null],
  [
    'x%5Bat%5Dy%5Bdot%5Dde x(%C3%A4t)y.de x%26%2364%3By.de x%5Cu0040y.de x%EF%BC%A0y.de',
    '[EMAIL] [EMAIL] [EMAIL] [EMAIL] [EMAIL]',
  ],
  ['x\\x40y.de x\\u{0040}y.de x&#0064;y.de x&lpar;at&rpar;y.de', '[EMAIL] [EMAIL] [EMAIL] [EMAIL]'],
  ['?u=YUBleGFtcGxlLm9yZyBpcyBtZQ%3D%3D', '?u=[EMAIL]'],
  ['https://desk.example/u/YUBleGFtcGxlLm9yZyBpcyBtZQ/eEB5LmRl', 'https://desk.example/u/[EMAIL]/[EMAIL]'],
  ['no person: 20%40 off, &nbsp; [at] (dot) \\n C:\\new aGVsbG8gd29ybGQgaGVsbG8=', null],
] as const) {
  test(`read through its mask: ${written}`, () => assert.equal(redact(written, new Map()), clean ?? written))
}

test('base64 within base64 is looked into', () => {
  const once = Buffer.from('mail a@example.org').toString('base64')
  const twice = Buffer.from(once).toString('base64')
  assert.equal(redact(`token ${twice} end`, new Map()), 'token [EMAIL] end')
})

test('the ten digits of every script count as digits', () => {
  let scripts = 0
  for (let code = 0; code < 0x1_ffff; code += 1) {
    if (!/\p{Nd}/u.test(String.fromCodePoint(code))) continue
    scripts += 1
    const inScript = (digits: string) => digits.replace(/\d/g, digit => String.fromCodePoint(code + Number(digit)))
    assert.equal(redact(`card ${inScript('4242 4242 4242 4242')}.`, new Map()), 'card [CARD].', code.toString(16))
    code += 9
  }
  assert.ok(scripts > 60)
})

test('each place of the reading leads back to its place in the text', () => {
  const written = 'é\u200b１ %41 x [at] y'
  const { text, at } = reading(written)
  assert.equal(text, 'é1 A x@y')
  assert.deepEqual(
    Array.from(text, (_, place) => written[at(place)]),
    ['é', '１', ' ', '%', ' ', 'x', ' ', 'y'],
  )
  assert.equal(at(text.length), written.length)
})
