import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBuiltInClassifier } from './classifier.ts'

const classifier = createBuiltInClassifier()
const answer = (text: string, event: string | null = null) => classifier.classify({ text, event })

/** For each language a problem, an idea and a question that the labelled set does not have. */
const SAID: Readonly<Record<string, readonly [string, string, string]>> = {
  Swedish: [
    'Sökningen fungerar inte längre på telefonen',
    'Jag skulle gärna vilja se två kalendrar bredvid varandra',
    'Hur många gäster kan jag bjuda in?',
  ],
  Turkish: [
    'Telefonda arama çalışmıyor',
    'İki takvimi yan yana görebilsek iyi olurdu',
    'Kaç misafir davet edebilirim, nasıl yapılır?',
  ],
  Korean: [
    '휴대폰에서 검색이 안 됩니다',
    '달력 두 개를 나란히 보는 기능을 추가해 주세요',
    '손님을 몇 명까지 초대할 수 있나요?',
  ],
  Arabic: ['البحث لا يعمل على الهاتف', 'نتمنى إضافة عرض تقويمين جنبا إلى جنب', 'كم عدد الضيوف الذين يمكنني دعوتهم؟'],
  Hindi: ['फोन पर खोज काम नहीं कर रही है', 'दो कैलेंडर साथ में देखने का विकल्प जोड़ें', 'मैं कितने मेहमानों को बुला सकता हूँ?'],
  Vietnamese: [
    'Tìm kiếm trên điện thoại không hoạt động',
    'Mong các bạn hỗ trợ xem hai lịch cạnh nhau',
    'Tôi có thể mời bao nhiêu khách?',
  ],
  Russian: [
    'На телефоне поиск не работает',
    'Хотелось бы видеть два календаря рядом',
    'Сколько гостей можно пригласить?',
  ],
}

for (const [language, [problem, idea, question]] of Object.entries(SAID)) {
  test(`a problem, an idea and a question in ${language} are told apart`, async () => {
    assert.equal((await answer(problem)).label, 'problem')
    assert.equal((await answer(idea)).label, 'idea')
    assert.equal((await answer(question)).label, 'question')
  })
}

/** Languages that have no word list. Each asks something, or has a word that another language has too. */
const UNKNOWN: Readonly<Record<string, string>> = {
  Finnish: 'Miten voin viedä raportit taulukkoon ilman että otsikot katoavat?',
  Hungarian: 'Hogyan tudom a jelentéseket táblázatba menteni?',
  Greek: 'Πώς μπορώ να εξάγω τις αναφορές σε υπολογιστικό φύλλο;',
  Hebrew: 'איך אפשר לייצא את הדוחות לגיליון?',
  Thai: 'ฉันจะส่งออกรายงานไปยังสเปรดชีตได้อย่างไร?',
  Indonesian: 'Bagaimana cara mengekspor laporan ke lembar kerja?',
  Swahili: 'Ninawezaje kuhamisha ripoti kwenye lahajedwali?',
  Basque: 'Nola esporta ditzaket txostenak kalkulu-orri batera?',
  Georgian: 'როგორ გადავიტანო ანგარიშები ცხრილში?',
  Tamil: 'அறிக்கைகளை விரிதாளுக்கு எவ்வாறு ஏற்றுமதி செய்வது?',
}

for (const [language, text] of Object.entries(UNKNOWN)) {
  test(`a text in ${language}, for which there are no words, is not guessed at, and its version says so`, async () => {
    const { label, version } = await answer(text)
    assert.equal(label, 'unclassified')
    assert.match(version ?? '', /\/unknown-language$/)
  })
}

test('what a form says of a text counts in any language', async () => {
  assert.equal((await answer(UNKNOWN.Finnish ?? '', 'feature_request.created')).label, 'idea')
  assert.equal((await answer(`[Bug] Raportit\n\n${UNKNOWN.Finnish}`)).label, 'problem')
})

test('a word of one language is not read as that of another', async () => {
  // "was" asks in German, "die" and "kosten" are German words, "var" is a question word in Swedish.
  assert.notEqual((await answer('It was only a test that was run with var in the code')).label, 'question')
  assert.equal((await answer('Was kostet das für uns?')).label, 'question')
})
