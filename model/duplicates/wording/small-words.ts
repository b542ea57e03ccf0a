/**
 * Small words that decide whether two texts say the same, in the languages of the built-in classifier and the next most
 * common ones. Folded: lower case, without accents of Latin letters.
 */
const words = (...lines: readonly string[]): ReadonlySet<string> => new Set(lines.flatMap(line => line.split(' ')))

/** Negations. English contractions are told by their ending. */
export const NEGATIONS = words(
  'no not never nobody nothing none neither nor without cannot cant dont doesnt didnt isnt wasnt arent wont hasnt havent couldnt',
  'nicht kein keine keinen keiner keinem nie niemals niemand nichts ohne weder',
  'ne pas aucun aucune jamais rien personne sans ni',
  'nunca nadie nada sin ningun ninguna ninguno tampoco ni',
  'nao ninguem sem nenhum nenhuma nem',
  'non mai nessun nessuno nessuna niente nulla senza ne',
  'niet geen nooit niemand niets zonder',
  'nie nikt nic nigdy bez ani brak',
  'не нет ни без никогда никто ничего нельзя никак',
  'inte ej ingen inget inga aldrig utan icke',
  'degil yok hic asla',
  '안 못 않 없이',
  'لا لم لن ليس ليست غير بدون',
  'नहीं नही मत बिना न',
  'khong chua chang dung',
)

/** Words that exclude each other: places, times, directions, quantities. */
export const OPPOSITES = words(
  'on off in out up down before after to from with above below over under first last left right top bottom open opened close closed',
  'enable enabled disable disabled enables disables enabling disabling import export imports exports upload download uploads downloads',
  'more less fewer min max minimum maximum always old new old newer older start stop started stopped add remove added removed',
  'allow deny allowed denied accept reject show hide shown hidden all some only light dark online offline true false yes',
  'two three four five six seven eight nine ten twice second third',
  'an aus ein vor nach von zu mit uber unter immer nur alle zwei drei vier funf',
  'avant apres sur sous avec toujours seulement tous deux trois quatre cinq',
  'antes despues sobre bajo con siempre solo todos dos tres cuatro cinco',
  'depois com sempre apenas dois tres quatro cinco prima dopo sempre due tre quattro voor na met altijd alleen twee drie vier',
  'до после с всегда только два три четыре на из в',
)

/** Fillers that change nothing: articles, forms of "be", the speaker's pronouns, politeness. */
export const FILLERS = words(
  'a an the is are was were be been am it its this that there here i my our me us of and so just really very actually',
  'please pls plz kindly hi hello hey dear thanks thank thx cheers also still again team guys everyone folks sorry ok okay',
  'der die das den dem des ein eine einen einem einer ist sind war es ich mein unser mir uns und auch bitte danke hallo',
  'le la les l un une des du de est sont je mon ma mes notre et aussi svp bonjour merci',
  'el los las una unos es son yo mi mis nuestro y tambien por favor hola gracias',
  'o os as um uma uns e sao eu meu minha nosso tambem favor ola obrigado obrigada',
  'il lo gli i uno ed io noi mio mia nostro anche ciao salve grazie',
  'de het een is zijn ik mijn ons onze en ook alstublieft graag hallo bedankt',
  'jest sa ja my moj moja nasz i oraz tez prosze czesc dziekuje',
  'и я мой моя наш у меня нас тоже пожалуйста здравствуйте привет спасибо',
  'det den ett en ar jag min var och ocksa snalla hej tack',
  'bir bu ve de da ben biz lutfen merhaba tesekkurler',
)

/** Beginnings of a greeting. */
export const GREETINGS = words(
  'hi hello hey dear good greetings hallo guten liebe lieber liebes sehr moin bonjour salut cher chere hola buenos buenas estimado estimada',
  'ola bom boa caro cara prezado prezada ciao salve buongiorno gentile beste geachte dag hoi czesc witam szanowni szanowny',
  'здравствуйте привет добрый уважаемые hej halla god merhaba selam sayin 안녕하세요 مرحبا السلام नमस्ते xin',
)

/** Beginnings of a sign-off. The lines after it name the writer. */
export const SIGN_OFFS = words(
  'regards best kind warm cheers thanks thank thx sincerely yours cordially respectfully rgds br',
  'grusse gruss grusse viele beste freundlichen mfg lg vg danke vielen herzliche',
  'cordialement bien merci amicalement salutations saludos atentamente cordialmente gracias',
  'atenciosamente abraco abracos obrigado obrigada cumprimentos saluti cordiali distinti grazie',
  'groet groeten vriendelijke bedankt pozdrawiam pozdrowienia dziekuje уважением спасибо',
  'halsningar vanliga mvh tack saygilarimla tesekkurler 감사합니다 شكرا धन्यवाद tran cam',
)

/** People in a greeting without a name, and times of the day. */
export const ADDRESSED = words(
  'team all there everybody everyone folks guys friends colleagues support sir madam sirs mr mrs ms dr good morning afternoon evening day',
  'zusammen leute kollegen kolleginnen damen herren herr frau tag morgen abend',
  'a tous equipe monsieur madame messieurs todos equipo tardes dias noches senor senora equipe pessoal dia tarde noite senhor senhora',
  'tutti squadra giorno signore signora allemaal iedereen heer mevrouw wszystkim panstwo dobry dzien',
  'всем команда день утро вечер добрый alla allihopa herkese arkadaslar',
)

/** Words beside a sign-off. */
export const CLOSINGS = words(
  'you your so much many lot in advance for help time and with wishes looking forward hearing from soon appreciate appreciated it the to',
  'mit freundlichem grussen besten schone herzlichen ihr ihre euer eure im voraus fur hilfe gruessen gruesse',
  'd avance beaucoup pour votre aide a vous tous toi cordiales un saludo abrazo de antemano por su ayuda muchas muy',
  'com os melhores desde ja pela ajuda muito em anticipo mille cordiale alvast voor met hartelijke veel za gory z powazaniem serdecznie',
  'с заранее за помощь med basta manga pa forhand simdiden cok',
)

/** Labels of headers above a forwarded mail. */
export const MAIL_LABELS = words(
  'from to cc bcc date sent subject von an gesendet datum betreff de a envoye objet para enviado enviada fecha asunto data assunto',
  'da inviato oggetto van aan verzonden onderwerp od do wyslano temat от кому дата отправлено тема fran till skickat amne kimden kime tarih konu',
)
