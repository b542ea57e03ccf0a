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

/** The same once more, as people write to a help desk. */
const WRITTEN: typeof SAID = {
  Swedish: [
    'Appen kraschar varje gång jag försöker ladda upp en bild från kameran. Jag har startat om telefonen två gånger men det hjälper inte.',
    'Jag saknar möjligheten att exportera rapporten till Excel.',
    'Finns det någon gräns för hur stora filer man kan ladda upp?',
  ],
  Turkish: [
    'Ödeme yaparken hata alıyorum ve para iki kez çekildi.',
    'Listeyi tarihe göre sıralayabilsek çok iyi olur.',
    'Yükleyebileceğim dosya boyutu için bir sınır var mı?',
  ],
  Korean: [
    '결제할 때 오류가 나고 요금이 두 번 청구되었습니다.',
    '보고서를 엑셀로 내보내는 기능이 있었으면 합니다.',
    '이메일 설정은 어디에 있나요?',
  ],
  Arabic: [
    'تم خصم المبلغ مرتين وتظهر رسالة خطأ عند الدفع.',
    'أقترح أن تضيفوا إمكانية تصدير التقارير إلى إكسل.',
    'هل يوجد حد لحجم الملفات التي يمكن رفعها؟',
  ],
  Hindi: [
    'पिछले अपडेट के बाद से सूचनाएं नहीं आ रही हैं।',
    'अगर सूची को तारीख के हिसाब से क्रमबद्ध कर सकें तो अच्छा होगा।',
    'क्या अपलोड की जाने वाली फाइल के आकार की कोई सीमा है?',
  ],
  Vietnamese: [
    'Từ bản cập nhật mới nhất tôi không nhận được thông báo nào.',
    'Giá mà có thể sắp xếp danh sách theo ngày thì tốt quá.',
    'Có giới hạn dung lượng tệp tải lên không?',
  ],
  Russian: [
    'При оплате появляется ошибка, и деньги списали дважды.',
    'Не хватает возможности выгружать отчёты в Excel.',
    'Есть ли ограничение на размер загружаемых файлов?',
  ],
}

for (const [language, [problem, idea, question]] of [SAID, WRITTEN].flatMap(said => Object.entries(said))) {
  test(`a problem, an idea and a question in ${language} are told apart: ${question}`, async () => {
    assert.equal((await answer(problem)).label, 'problem')
    assert.equal((await answer(idea)).label, 'idea')
    assert.equal((await answer(question)).label, 'question')
  })
}

/** Languages that have no word list, but the embedder has read some of each. */
const BY_MEANING: Readonly<Record<string, string>> = {
  Finnish: 'Miten voin viedä raportit taulukkoon ilman että otsikot katoavat?',
  Hungarian: 'Hogyan tudom a jelentéseket táblázatba menteni?',
  Hebrew: 'איך אפשר לייצא את הדוחות לגיליון?',
  Thai: 'ฉันจะส่งออกรายงานไปยังสเปรดชีตได้อย่างไร?',
  Indonesian: 'Bagaimana cara mengekspor laporan ke lembar kerja?',
  Czech: 'Jak změním heslo?',
  Danish: 'Kan man vælge at få færre påmindelser om natten?',
  Persian: 'چگونه رمز عبور خود را تغییر دهم؟',
}

const { Finnish: FINNISH = '' } = BY_MEANING

for (const [language, text] of Object.entries(BY_MEANING)) {
  test(`a question in ${language}, for which there are no words, is told by its meaning`, async () => {
    const { label, version } = await answer(text)
    assert.equal(label, 'question')
    assert.equal(version, undefined)
  })
}

/** Languages of whose letters neither knows any. Each asks something. */
const UNKNOWN: Readonly<Record<string, string>> = {
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
  assert.equal((await answer(FINNISH, 'feature_request.created')).label, 'idea')
  assert.equal((await answer(`[Bug] Raportit\n\n${FINNISH}`)).label, 'problem')
})

test('a name from a language without words leaves a text readable', async () => {
  assert.equal((await answer('Since the update Dvořák cannot log in, the app crashes with an error')).label, 'problem')
})

test('a word of one language is not read as that of another', async () => {
  // "was" asks in German, "die" and "kosten" are German words, "var" is a question word in Swedish.
  assert.notEqual((await answer('It was only a test that was run with var in the code')).label, 'question')
  assert.equal((await answer('Was kostet das für uns?')).label, 'question')
})
