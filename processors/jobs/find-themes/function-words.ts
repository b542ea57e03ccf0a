/**
 * Words that say nothing of what a text is about, in the languages of most feedback: beside the commonest ones, which
 * the classifier knows. The first ones of each language name a kind of feedback, as a subject or a form has them.
 */
const WORDS = `
  question problem issue idea request feedback suggestion wish note can cant could couldnt dont does didnt doesnt isnt wont would
  should this that there their them they then than when where which while what who why how have has had been being
  with without from into onto over under after before again still just only also very more most some any every each
  all none nothing nobody something everything not never always because since until about between both but for
  frage anfrage rückmeldung wunsch hinweis idee problem für mit ohne von vom zum zur bei beim aus auf nach vor über
  unter durch gegen seit bis wegen nicht nichts kein keine keinen nie niemand alles alle jeder jede jedes etwas
  mehr sehr auch noch schon nur immer wieder dann denn weil wenn wann wie warum weshalb wer wen wem welche welcher
  welches kann können könnte muss müssen soll sollte wird werden wurde haben hatte sein sind waren war man uns unser
  unsere ihr ihre mein meine diese dieser dieses dort hier
  question demande problème idée remarque suggestion pour avec sans dans sur sous entre vers chez depuis pendant
  avant après rien jamais personne tout tous toute toutes quelque chaque plus moins très aussi encore toujours
  quand comment pourquoi parce lorsque peut peux pouvons pourrait doit faut sont était être avoir cette ces notre
  votre leur leurs nous vous elle ils elles aucun aucune
  pregunta problema solicitud consulta idea sugerencia para con sin sobre entre hasta desde durante nada nunca nadie
  todo todos toda todas algo cada más menos muy también todavía siempre cuando cómo porqué porque puede puedo
  podemos debe hay son era ser estar tiene este esta estos estas nuestro nuestra
  pergunta problema pedido dúvida ideia sugestão para com sem sobre entre até desde durante nada nunca ninguém tudo
  todos toda todas algo cada mais menos muito também ainda sempre quando como porque pode podemos deve são era ser
  estar tem este esta estes estas nosso nossa
  domanda problema richiesta idea suggerimento per con senza sopra tra fra fino durante niente nulla mai nessuno
  tutto tutti tutta tutte qualcosa ogni più meno molto anche ancora sempre quando come perché può possiamo deve sono
  era essere avere questo questa questi queste nostro nostra
  vraag probleem verzoek idee voor met zonder van bij naar over onder tussen tot sinds tijdens niets nooit niemand
  alles alle iets elke elk meer minder heel ook nog altijd wanneer hoe waarom omdat kan kunnen moet moeten zijn was
  hebben deze dit onze
  pytanie problem prośba pomysł uwaga sugestia dla bez przy przed przez nad pod między podczas nic nigdy nikt
  wszystko wszyscy coś każdy każda każde więcej mniej bardzo także również jeszcze zawsze kiedy jak dlaczego ponieważ
  gdy może można musi trzeba jest są był była było być mieć ten tego tej tym nasz nasza nasze
  fråga problem förslag idé för med utan från till över under mellan inget aldrig ingen allt alla något varje mer
  mindre mycket också ännu alltid när hur varför eftersom kan måste ska är var vara har denna detta vår våra
  soru sorun istek öneri fikir için ile gibi kadar sonra önce hiç hiçbir her şey daha çok ama çünkü neden nasıl
  вопрос проблема просьба идея предложение для без при перед через над под между ничего никогда никто всё все
  каждый больше меньше очень также ещё всегда когда как почему потому может можно надо нужно есть был была было быть
`

export const FUNCTION_WORDS: ReadonlySet<string> = new Set(WORDS.trim().split(/\s+/))
