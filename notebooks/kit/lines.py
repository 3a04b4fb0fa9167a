"""Lines of text to read: English sentences, many languages, and lines that break tokenizers."""

import random

SENTENCES = (
    "Time flies like an arrow.",
    "Fruit flies like a banana.",
    "Hours pass quickly.",
    "Insects are fond of fruit.",
    "The archer shot an arrow into the air.",
    "An arrow flew over the river and was gone.",
    "Bananas ripen faster in a paper bag.",
    "Wait!",
    "How old is the oldest tree in this forest?",
    "She timed the runners with a stopwatch, then wrote their times on the board.",
    "The pilot flies to Lisbon on Mondays.",
    "He swatted three flies before breakfast.",
    "They like tea, but they love coffee.",
    "It looks like rain.",
    "Clocks in the north tower run four minutes late, so the bells ring after everybody has left.",
    "A kite needs wind, a string and somebody who runs.",
    "Yes.",
    "Our train leaves at 9:45 from platform 7; please don't be late!",
    "The recipe asks for 250 g of flour, two eggs and a pinch of salt.",
    "Under the old bridge the water stands still even in spring.",
    "Children learn a language long before they learn its grammar.",
    "The library closes at noon on Saturdays and stays closed on Sundays.",
    "If nobody objects, the meeting is moved to Thursday.",
    "Snow covered the fields, the fences and finally the road, until only the poles stood out.",
    "Who told you that?",
    "Her first novel sold eleven copies, nine of them to her mother.",
    "Sound travels faster in water than in air.",
    "The museum keeps the broken vase in a room without windows.",
    "Never divide by zero, and never by something that might become zero.",
    "A sentence may be long, provided that each part of it leads the reader on to the next, and "
    "that the reader still knows at its end how it began.",
    "Bees dance to say where the flowers are.",
    "Good night.",
)

LANGUAGES = {
    "English": "Time flies like an arrow.",
    "Spanish": "El tiempo vuela como una flecha.",
    "French": "Le temps file comme une flèche.",
    "German": "Die Zeit fliegt dahin wie ein Pfeil.",
    "Vietnamese": "Thời gian trôi nhanh như tên bắn.",
    "Turkish": "Zaman bir ok gibi uçup gider.",
    "Czech": "Čas letí jako šíp.",
    "Russian": "Время летит как стрела.",
    "Greek": "Ο χρόνος πετά σαν βέλος.",
    "Arabic": "الوقت يطير مثل السهم.",
    "Hindi": "समय तीर की तरह उड़ता है।",
    "Chinese": "光阴似箭。",
    "Japanese": "時は矢のように飛ぶ。",
    "Korean": "시간은 화살처럼 날아간다.",
}

MORE = (
    "Größe, Straße, ÄÖÜẞ and Übermut",
    "Ça va, garçon? L'été où naïveté coûte cher…",
    "¿Dónde está el niño? ¡Aquí!",
    "Příliš žluťoučký kůň úpěl ďábelské ódy",
    "Zażółć gęślą jaźń",
    "İstanbul'da ılık bir gün",
    "ΟΔΟΣ και Σίσυφος",
    "Її їжак і ґедзь",
    "שָׁלוֹם עוֹלָם",
    "السَّلَامُ عَلَيْكُمْ",
    "がぎぐげご と ガギグゲゴ",
    "co-operate, don't, rock'n'roll, e.g. 3.14",
    "$3.50 + 20% = 4^2 <b>x</b> {y} ~z `q` a_b c|d",
    "e\u0301 and é, ﬁ ﬂ ½ ² № ℃ Ⅳ ａｂｃ！",
    "豈 更 車 𠀀𠀁 𪛖 between words 中文mixed英文",
    "👩\u200d👧 😀👍🏽🇫🇷 flies™®",
    "supercalifragilisticexpialidocious antidisestablishmentarianism",
)

HOSTILE = (
    *("", " ", "\x00", "\ufffd\x00", "a\tb\nc\rd", "\r\n\t", "\x00a\x00b\x1f", "a\x0bb\x0cc\x85d"),
    *("a\u200bb\u200dc\ufeffd\xade", "a\u00a0b\u2003c\u2028d\u3000e", "\u0301\u0301", "é" * 100),
    *("a" * 100, "a" * 101, "e\u0301" * 60, "中" * 200, "!" * 150, "a." * 80, "\U0010ffff\ue000"),
    *("[MASK]", "fly[MASK]like", "[[MASK]]", "[mask] [Mask]", "[MASK", "[ MASK ]", "[MA\u200bSK]"),
    *("[CLS] a [SEP] b [PAD][UNK]", "[unused1]", "##ing a##b ##", "ßẞİı", "\u202eabc\u202c"),
    *("z" + "\u0335" * 50, "𝔱𝔦𝔪𝔢 𝟝", "<script>", "\\n\\t", "NULL", "%s {0}", "'; --"),
)


def thousand_lines() -> list[str]:
    """A thousand lines, the same on every machine: all of the above, then mixtures of them."""
    rng = random.Random(1)
    parts = [*SENTENCES, *LANGUAGES.values(), *MORE, *HOSTILE]
    lines = list(parts)
    while len(lines) < 1000:
        mixture = " ".join(rng.choice(parts) for _ in range(3))
        start = rng.randrange(len(mixture))
        lines.append(mixture[start : start + rng.randrange(1, 90)])
    return lines
