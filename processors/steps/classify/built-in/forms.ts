/** Fields of the forms of trackers and help desks. */
type FormField = 'steps' | 'expected' | 'environment' | 'fault' | 'wish' | 'query'
export type Kind = 'problem' | 'idea' | 'question'
export type Form = `form_${FormField}` | `declared_${Kind}` | `prefix_${Kind}`

/** One expression of several sources. */
const oneOf = (...sources: readonly string[]): RegExp => new RegExp(sources.join('|'), 'iu')

const SENT = '(?:issue|ticket|request|report|case|bug|feedback|submission)'

/** Labels and headings of forms, by field. A label can belong to several. */
export const FORMS: readonly { readonly form: `form_${FormField}` | 'kind'; readonly pattern: RegExp }[] = [
  {
    form: 'kind',
    pattern: oneOf(
      String.raw`^\W*(?:${SENT}[ _-]*)?(?:type|kind|category|tracker|label|nature)s?(?: of ${SENT})?\W*$`,
      String.raw`^\W*(?:typ|art|kategorie|tipo|categor[ií]a|cat[ée]gorie|soort|tür|тип|категория|유형|종류`,
      String.raw`类型|類型|種類|種別|النوع|प्रकार|loại|what kind of|i'?m submitting an?)(?!\p{L}).{0,20}$`,
    ),
  },
  {
    form: 'form_steps',
    pattern: oneOf(
      String.raw`\b(?:steps?|how) (?:to|for) (?:re-?produc|replicat|trigger)|\breproduc(?:e|tion|ible|ing)\b`,
      String.raw`\brepro\b|\btest case\b|\bmcve\b|schritte|reproduzier|étapes|reproduire|pasos|reproducir`,
      'passos|reproduzir|stappen|reproduceren|kroki|passaggi|riprodurre|återskapa|adımlar|재현|再現|重现',
      '复现|шаги|воспроизв|خطوات|चरण|các bước|tái hiện',
    ),
  },
  {
    form: 'form_expected',
    pattern: oneOf(
      String.raw`\b(?:expected|actual|current|observed|desired|incorrect|correct)\b.{0,12}\b(?:behaviou?r|results?)\b`,
      String.raw`\b(?:expected|actual|current|observed) (?:outcome|output|state)\b`,
      String.raw`^\W*(?:expected|actual|observed)\W*$|\bexpect(?:ed)? to happen\b|\bactually happen`,
      String.raw`\bwhat\b.{0,12}\bexpect`,
      String.raw`\bwhat (?:happen(?:s|ed)|went wrong|did you see)|\bexpected (?:vs|and)\b|erwartet`,
      'tatsächlich|attendu|esperado|obtenido|verwacht|oczekiwan|previsto|förvänta|beklenen|예상|期待|預期',
      '预期|实际|実際|ожида|фактическ|المتوقع|अपेक्षित|mong đợi',
    ),
  },
  {
    form: 'form_environment',
    pattern: oneOf(
      String.raw`\b(?:environment|version|versions|operating system|system info(?:rmation)?|platform|browser|device)\b`,
      String.raw`\b(?:os|distro|hardware|commit|installed from|runtime|setup)\b`,
      'umgebung|betriebssystem|entorno|navegador|versie|versión|versão|ortam|sürüm|환경|버전|環境|版本',
      'バージョン|верси|окружени|الإصدار|البيئة|संस्करण|phiên bản',
    ),
  },
  {
    form: 'form_fault',
    pattern: oneOf(
      String.raw`\b(?:describe|description of|explain|summary of) (?:the |your )?(?:bug|issue|problem|error|defect|incident)`,
      String.raw`^\W*(?:bug|error|issue|problem|incident)(?:[ -]*(?:report|description|summary|details|message))?\W*$`,
      String.raw`\b(?:error (?:message|log|output)s?|stack ?trace|relevant log|log output)\b`,
      String.raw`\b(?:crash report|logs?|screenshots?|impact|severity|regression|workaround)\b`,
      "fehlerbeschreibung|fehlermeldung|message d'erreur|mensaje de error|foutmelding|hata mesajı",
      '오류|错误信息|エラー|ошибк',
    ),
  },
  {
    form: 'form_wish',
    pattern: oneOf(
      String.raw`\bfeature\b|\b(?:solution|alternatives?) you|\balternatives?\b`,
      String.raw`\b(?:motivation|use[ -]?cases?|user stor(?:y|ies)|proposal|proposed|suggestion|suggested|enhancement)\b`,
      String.raw`\b(?:improvement|benefits?|rationale|acceptance criteria)\b`,
      String.raw`\b(?:pitch|wish|idea|pros|cons|business value|who will benefit|desired solution)\b`,
      String.raw`what problem (?:does|would|will|are you)|would you like|\blike to see\b|funktionswunsch`,
      'vorschlag|lösungsvorschlag|proposition|propuesta|proposta|mejora|melhoria|voorstel',
      'propozycja|förslag|öneri|제안|기능|建议|需求|功能|要望|提案|предложени|اقتراح|सुझाव|đề xuất|tính năng',
    ),
  },
  {
    form: 'form_query',
    pattern: oneOf(
      String.raw`\bquestions?\b|\bwhat (?:have|did) (?:you|i) tr(?:y|ied)\b`,
      String.raw`\bwhat (?:are you|am i|are we) trying\b|\b(?:help|support) (?:needed|wanted|request)`,
      String.raw`\bwhat (?:do|would) you (?:want|need) to know|\bi want to know\b`,
      String.raw`^[^\w\p{L}]*(?:frage|pregunta|pergunta|domanda|vraag|pytanie|fråga|soru|질문|문의|问题描述|質問|вопрос|سؤال|प्रश्न|câu hỏi)[^\w\p{L}]*$`,
    ),
  },
]

/** Names of the kinds in trackers, forms and people's words. */
const NAMES: readonly (readonly [Kind, RegExp])[] = [
  [
    'idea',
    oneOf(
      String.raw`feature|\bfeat\b|enhance|improvement|\bideas?\b|suggest|\bwish|proposal|\brfc\b|\bfr\b`,
      String.raw`user story|change request|funktionswunsch|vorschlag|\bidee|verbesserung|\bam[ée]lioration`,
      'suggestion|mejora|sugerencia|melhoria|sugest|suggeriment|voorstel|propozycj|pomysł|förslag',
      'önerme|öneri|제안|건의|기능 ?요청|建议|功能|需求|要望|提案|предложени|пожелани|اقتراح|सुझाव|đề xuất|góp ý',
    ),
  ],
  [
    'question',
    oneOf(
      String.raw`question|\bsupport\b|\bhelp\b|how[ -]?to|inquiry|enquiry|\bq&a\b|^\W*q\W*$|discussion|usage`,
      String.raw`\bfrage|pregunta|consulta|pergunta|d[úu]vida|domanda|\bvraag|pytani|\bfråga|\bsoru|질문|문의|提问`,
      '咨询|質問|вопрос|سؤال|استفسار|प्रश्न|câu hỏi|thắc mắc',
    ),
  ],
  [
    'problem',
    oneOf(
      String.raw`\bbugs?\b|\bdefect|\berror|\bfault|\bproblems?\b|\bincident|\bcrash|\bregression|\boutage`,
      String.raw`\bfehler|störung|\bfix\b|\bpanne|\bincidente|\berro\b|\berrore|\bfout|\bbłąd|\busterka`,
      String.raw`\bfel\b|\bhata\b|버그|오류|장애|错误|故障|缺陷|バグ|不具合|障害|ошибк|баг|عطل|خطأ|त्रुटि|समस्या|\blỗi\b`,
    ),
  ],
]
const MAX_NAME_LENGTH = 50
const MAX_NAME_WORDS = 4
const DENIED = /\b(?:no|not|non|never|nicht|kein|pas|isn't|without)\b/i

/** The kind that a few words name, such as "Bug report"; null when they name none or say more. */
export const kindNamed = (words: string): Kind | null => {
  const name = words.trim()
  if (name.length > MAX_NAME_LENGTH || name.split(/\s+/u).length > MAX_NAME_WORDS || DENIED.test(name)) return null
  for (const [kind, pattern] of NAMES) if (pattern.test(words)) return kind
  return null
}
