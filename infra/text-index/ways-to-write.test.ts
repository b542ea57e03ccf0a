import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createTextIndex } from './text-index.ts'

/** A query, the texts that it must find, and those that must stand behind them or be absent. */
type Case = readonly [query: string, wanted: readonly string[], others?: readonly string[]]

const CASES: readonly Case[] = [
  // Joined, held together by a hyphen, and apart.
  ['email', ['no e-mail arrives', 'the email is empty', 'e mail is late']],
  ['e-mail', ['no e-mail arrives', 'the email is empty']],
  ['emails', ['two e-mails were lost', 'emails bounce']],
  ['login', ['log in fails with SSO', 'the login page is blank', 'log-in does nothing']],
  ['log in', ['the login page is blank', 'log-in does nothing', 'log in fails']],
  ['log-in', ['the login page is blank', 'log in fails']],
  ['dropdown', ['the drop-down is cut off', 'a drop down menu stays open', 'dropdown is empty']],
  ['drop-down', ['dropdown is empty', 'drop down menu stays']],
  ['webhook', ['web-hook is retried', 'our web hook gets 404', 'webhooks are late']],
  ['web hooks', ['webhook is retried', 'web-hooks are slow']],
  ['wifi', ['no sync over Wi-Fi', 'wi fi is on', 'wifi drops']],
  ['wi-fi', ['wifi drops', 'no sync over Wi-Fi']],
  ['signup', ['sign-up form is broken', 'sign up takes long', 'signup fails']],
  ['sign up', ['signup fails', 'sign-up form is broken']],
  ['checkbox', ['the check-box is gone', 'check box cannot be ticked', 'checkbox is tiny']],
  ['timezone', ['wrong time-zone in exports', 'time zone is lost', 'timezone is UTC']],
  ['xray', ['the x-ray viewer is slow', 'x ray images are dark']],
  ['tshirt', ['order of a t-shirt is lost', 'tshirt sizes are wrong']],
  ['utf8', ['the CSV is not in UTF-8', 'utf8 is broken', 'utf 8 please']],
  ['utf-8', ['utf8 is broken', 'UTF-8 is missing']],
  ['sha256', ['the SHA-256 does not match', 'sha256 is shown']],
  ['realtime', ['real-time updates lag', 'real time is not', 'realtime sync']],
  ['onboarding', ['on-boarding takes long', 'onboarding is confusing']],
  ['opt-in', ['optin is hidden', 'opt-in is forced']],
  ['addon', ['the add-on crashes', 'add on is gone', 'addons are missing']],
  ['backend', ['back-end is down', 'back end answers 500', 'backend error']],
  ['Emailadresse', ['E-Mail-Adresse wird nicht angenommen', 'Emailadresse fehlt']],
  ['ecommerce', ['e-commerce report is empty', 'ecommerce export']],
  ['email address', ['the e-mail address is not saved', 'email address is cut']],
  ['"email address"', ['the e-mail address is not saved', 'email address is cut'], ['address of the email']],
  ['"e-mail address"', ['the e-mail address is not saved']],
  ['"mail address"', ['the e-mail address is not saved']],
  ['copy-paste', ['copypaste loses format', 'copy paste loses format']],
  ['multiselect', ['multi-select is missing', 'multi select in lists']],
  ['dark mode', ['darkmode please', 'dark-mode flickers']],
  ['readonly', ['read-only role', 'the field is read only']],
  // Letters that Unicode takes apart, and those that it does not.
  ['grosse', ['Größe der Datei', 'die grosse Datei']],
  ['Größe', ['grosse Datei', 'Grösse der Datei']],
  ['strasse', ['Straße fehlt', 'STRASSE']],
  ['Straße', ['strasse fehlt']],
  ['smorgasbord', ['smørgåsbord view']],
  ['kobenhavn', ['København is missing in the list']],
  ['Đorđe', ['Dorde cannot sign in']],
  ['dorde', ['Đorđe cannot sign in']],
  ['Łódź', ['lodz is sorted wrongly']],
  ['lodz', ['Łódź is sorted wrongly']],
  ['aeroskobing', ['Ærøskøbing is cut']],
  ['coeur', ['le cœur ne marche pas']],
  ['cœur', ['le coeur ne marche pas']],
  ['istanbul', ['İstanbul şubesi', 'ISTANBUL', 'ıstanbul']],
  ['isik', ['Işık açılmıyor']],
  ['IŞIK', ['ışık', 'Işık']],
  ['thorsmork', ['Þórsmörk photo fails']],
  ['Əlaqə', ['elaqe yoxdur']],
  ['elaqe', ['əlaqə yoxdur']],
  ['kasa', ['Ƙasa ba ta buɗe ba']],
  ['Eʋegbe', ['evegbe is missing']],
  ['sanit', ['sáŋit is cut']],
  ['creme brulee', ['crème brûlée recipe']],
  ['weiss', ['weiß auf weiß', 'weiss']],
  ['Maße', ['masse in mm']],
  // Words with signs.
  ['C++', ['The C++ SDK crashes'], ['The C# SDK crashes', 'The C SDK crashes', 'vitamin C crashes']],
  ['C#', ['The C# SDK crashes'], ['The C++ SDK crashes', 'The C SDK crashes']],
  ['C', ['The C SDK crashes'], ['The C++ SDK crashes', 'The C# SDK crashes']],
  ['F#', ['F# bindings'], ['F bindings', 'the F key']],
  ['.NET', ['.NET client leaks'], ['the net price is wrong', 'net is slow']],
  ['net price', ['the net price is wrong'], ['.NET client leaks']],
  ['ASP.NET', ['ASP.NET sample fails'], ['ASP is slow']],
  ['Node.js', ['Node.js client fails', 'NodeJS client'], ['a node of the map', 'js error']],
  ['nodejs', ['Node.js client fails', 'NodeJS client']],
  ['A/B test', ['A/B test is wrong'], ['a test of plan B is wrong', 'a test']],
  ['A/B', ['A/B test is wrong'], ['a plan b is wrong']],
  ['R&D', ['R&D team has no access'], ['d and r keys', 'r script']],
  ['Q&A', ['Q&A tab is empty'], ['a q key']],
  ['I/O', ['I/O error on import'], ['I like o']],
  ['Notepad++', ['Notepad++ opens it'], ['Notepad opens it']],
  ['c++ crashes', ['The C++ SDK crashes'], ['C# crashes']],
  ['g++', ['g++ fails'], ['g fails']],
  ['AT&T', ['AT&T users get no SMS'], ['at the t junction']],
  // Scripts without spaces, and particles.
  ['图', ['上传图片失败', '地图很慢', '看图']],
  ['导', ['导出失败']],
  ['出', ['导出失败', '无法导出']],
  ['あ', ['あいうえお順', 'そこにあ']],
  ['ト', ['テスト', 'トップ']],
  ['ก', ['กดไม่ได้']],
  ['앱', ['앱이 느려요', '앱 오류', '이 앱']],
  ['오류', ['오류가 나요', '오류']],
  ['오류 로그인', ['로그인할 때 오류가 나요']],
  ['PDF', ['PDF出力が遅い', 'PDF导出失败']],
  ['PDF出力', ['PDF出力が遅い']],
  ['導出', ['PDF導出失敗']],
  ['搜 慢', ['搜索很慢']],
  ['値', ['値が違う', '初期値']],
]

/** What other texts say, so that each way to write a word is known. */
const OTHERS = [
  'email settings are lost',
  'mail server is down',
  'the mailbox is full',
  'e is not a word',
  'login with a key',
  'in the report',
  'a box of time',
  'net sales by month',
  'node of the map',
  'test of a plan',
  'export as file fails',
  'the web page is slow',
  'drop files here',
  'Preis netto',
  'la page est lente',
  'the zone is red',
  'on board of it',
  'back to the end',
  '设置丢失',
  '検索が遅い',
  '검색 결과 없음',
  'ไม่มีผลลัพธ์',
  'the address is wrong',
  'add rows',
  'shirt colours',
  'ray tracing',
  'sign the contract',
]

describe('A word is found in each of the ways to write it', () => {
  for (const [query, wanted, others = []] of CASES) {
    it(query, () => {
      const index = createTextIndex()
      const texts = [...OTHERS, ...others, ...wanted]
      for (const title of texts) index.add(1, { title })
      const found = index.search({ text: query, kinds: 1 }, 20).map(({ key }) => texts[key] ?? '')
      const places = wanted.map(text => found.indexOf(text))
      assert.ok(!places.includes(-1), `of ${wanted.join(', ')}: ${found.join(', ')}`)
      for (const other of others) {
        const place = found.indexOf(other)
        assert.ok(place === -1 || place > Math.max(...places), found.join(', '))
      }
    })
  }
})
