"""Draws the quickstart's picture: panels with the library's pixels, and over them crosses and texts of its own."""
import numpy
from PIL import Image, ImageDraw, ImageFont

COLUMNS, ROWS = 3, 2
MARGIN, HEADER, TITLE, CAPTION = 28, 92, 30, 142

PAPER, INK, FAINT, FRAME = (250, 249, 246), (38, 42, 48), (128, 132, 138), (196, 194, 188)
EMPTY = (232, 236, 238)  # where no layer has a pixel


class Picture:
    """A sheet of panels, each with a title above and what the taps found below."""

    def __init__(self, panel_size):
        self.panel_size = panel_size
        width, height = panel_size
        size = (COLUMNS * width + (COLUMNS + 1) * MARGIN, HEADER + ROWS * (TITLE + height + CAPTION) + MARGIN // 2)
        self.image = Image.new("RGB", size, PAPER)
        self.draw = ImageDraw.Draw(self.image)
        self.draw.text((MARGIN, 24), "Alidade: which cell is under a tap", INK, font(24, bold=True))
        self.draw.text((MARGIN, 58), "One Web Mercator map, one view that moves, three rasters in three other spatial "
                       "references. Each square is a stored cell.", FAINT, font(13))

    def origin(self, number):
        """The top left pixel of a panel."""
        width, height = self.panel_size
        row, column = divmod(number, COLUMNS)
        return MARGIN + column * (width + MARGIN), HEADER + row * (TITLE + height + CAPTION) + TITLE

    def add(self, number, stop, pixels, texts):
        """Panel `number`: its title, the screen (rows x columns x RGBA), a cross per tap, and a text per tap."""
        left, top = self.origin(number)
        width, height = self.panel_size
        self.draw.text((left, top - 24), stop.title, INK, font(15, bold=True))
        self.draw.text((left + width, top - 22), f"1 : {stop.scale:,.0f}".replace(",", "\u202f"), FAINT, font(12),
                       anchor="ra")
        self.image.paste(on_paper(pixels), (left, top))
        self.draw.rectangle((left - 1, top - 1, left + width, top + height), outline=FRAME)
        for tap, (x, y) in enumerate(stop.taps, start=1):
            self.cross(left + int(x), top + int(y), str(tap))
        for tap, text in enumerate(texts):
            self.caption(left, top + height + 10 + tap * 32, tap + 1, text)

    def cross(self, x, y, label):
        """Four arms around a pixel. The pixel itself and those next to it stay the library's."""
        for width, colour in ((5, (20, 20, 20)), (1, (255, 255, 255))):
            reach = width // 2
            for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                near, far = 4 - reach, 11 + reach
                box = sorted((dx * near, dx * far)), sorted((dy * near, dy * far))
                (x0, x1), (y0, y1) = ((low or -reach, high or reach) for low, high in box)
                self.draw.rectangle((x + x0, y + y0, x + x1, y + y1), fill=colour)
        self.draw.text((x + 9, y - 9), label, (255, 255, 255), font(13, bold=True), anchor="lb", stroke_width=2,
                       stroke_fill=(20, 20, 20))

    def caption(self, left, top, tap, text):
        """The cell's values and below them, fainter, its column and row and its corner on the map."""
        parts = text.split(" | ")
        place = [part for part in parts if part.startswith(("column ", "X: ", "Y: "))]
        values = [part for part in parts if part not in place]
        self.draw.text((left, top), f"{tap}", INK, font(12, bold=True))
        self.draw.text((left + 16, top), "   ".join(values), INK, font(12))
        self.draw.text((left + 16, top + 14), "   ".join(place), FAINT, font(11))

    def save(self, path):
        self.image.save(path)


def on_paper(pixels):
    """A screen with the panel's own colour where it is transparent."""
    alpha = pixels[..., 3:].astype(float) / 255
    mixed = pixels[..., :3] * alpha + numpy.array(EMPTY) * (1 - alpha)
    return Image.fromarray(numpy.round(mixed).astype("uint8"))


def font(size, bold=False):
    """DejaVu Sans if it is installed (Debian: fonts-dejavu-core), otherwise Pillow's own font."""
    try:
        return ImageFont.truetype("DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf", size)
    except OSError:
        return ImageFont.load_default()
