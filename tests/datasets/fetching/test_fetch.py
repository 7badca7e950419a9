"""Fetching official files, from a server in this process: nothing here needs a network."""

import gzip
import hashlib
import io
import json
import tarfile
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

from gordium.datasets import DATASETS, MNIST, fetch, load_dataset
from gordium.datasets.fetching import addresses as _addresses
from gordium.datasets.fetching import download
from gordium.datasets.fetching.addresses import REMOTES, Remote
from gordium.datasets.readers import archives
from gordium.datasets.readers.digests import UNPACKED
from gordium.datasets.readers.official import OfficialFile

CONTENT = np.random.default_rng(0).bytes(1_000_000)


class Handler(BaseHTTPRequestHandler):
    """Serves `server.files`; can cut a connection, ignore ranges, or change its mind."""

    def do_GET(self):
        files = self.server.files
        asked = self.headers.get("Range")
        self.server.asked.append((self.path, asked))
        if self.path not in files:
            self.send_error(404, "not here")
            return
        content, start = files[self.path], 0
        same = self.headers.get("If-Range", self.server.etag) == self.server.etag
        if asked and self.server.ranges and same:
            start = int(asked.removeprefix("bytes=").removesuffix("-"))
            if start >= len(content):
                self.send_response(416)
                self.send_header("Content-Range", f"bytes */{len(content)}")
                self.end_headers()
                return
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
        else:
            self.send_response(200)
        self.send_header("ETag", self.server.etag)
        self.send_header("Content-Length", str(len(content) - start))
        self.end_headers()
        end = start + self.server.cut_after if self.server.cuts else len(content)
        self.server.cuts = max(0, self.server.cuts - 1)
        self.wfile.write(content[start:end])

    def log_message(self, *_):
        pass


@pytest.fixture
def server(tmp_path, monkeypatch):
    monkeypatch.setenv("GORDIUM_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("GORDIUM_ADDRESSES", raising=False)
    monkeypatch.setattr(download, "WAIT", 0.0)
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        running.files, running.asked, running.etag = {}, [], '"1"'
        running.ranges, running.cuts, running.cut_after = True, 0, 300_000
        running.address = f"http://127.0.0.1:{running.server_port}/"
        thread = threading.Thread(target=running.serve_forever, args=(0.01,))
        thread.start()
        yield running
        running.shutdown()
        thread.join()


@pytest.fixture
def thing(server, monkeypatch):
    """A data set to fetch: one file with a hash, offered by the server."""
    wanted = OfficialFile("thing.bin", "sha256", hashlib.sha256(CONTENT).hexdigest())
    monkeypatch.setitem(REMOTES, "thing", Remote("below", (wanted,), (server.address,)))
    server.files["/thing.bin"] = CONTENT
    return server


def test_a_file_is_fetched_once_and_lies_in_the_cache(thing, tmp_path):
    (path,) = fetch("thing")
    assert path == tmp_path / "cache" / "data" / "below" / "thing.bin"
    assert path.read_bytes() == CONTENT
    assert [file.name for file in path.parent.iterdir()] == ["thing.bin"]
    assert fetch("thing") == [path]
    assert thing.asked == [("/thing.bin", None)]


def test_a_cut_connection_is_taken_up_where_it_was_cut(thing):
    thing.cuts = 2
    (path,) = fetch("thing")
    assert path.read_bytes() == CONTENT
    assert [asked for _, asked in thing.asked] == [None, "bytes=300000-", "bytes=600000-"]


def test_what_came_is_kept_for_the_next_command(thing, tmp_path):
    thing.cuts, thing.cut_after = download.ATTEMPTS, 100_000
    with pytest.raises(OSError, match=r"cut off 5 times.*The 500,000 bytes that arrived are kept"):
        fetch("thing")
    assert not (tmp_path / "cache" / "data" / "below" / "thing.bin").exists()
    (path,) = fetch("thing")
    assert path.read_bytes() == CONTENT
    assert thing.asked[-1] == ("/thing.bin", "bytes=500000-")


def test_a_server_without_ranges_is_read_from_the_start(thing):
    thing.ranges, thing.cuts = False, 2
    (path,) = fetch("thing")
    assert path.read_bytes() == CONTENT
    assert len(thing.asked) == 3


def test_a_file_that_changed_meanwhile_is_not_mixed_from_both(thing):
    thing.cuts, thing.files["/thing.bin"] = download.ATTEMPTS, bytes(1_000_000)
    thing.cut_after = 100_000
    with pytest.raises(OSError, match="are kept"):
        fetch("thing")
    thing.etag, thing.files["/thing.bin"] = '"2"', CONTENT
    assert fetch("thing")[0].read_bytes() == CONTENT


def test_a_part_that_is_whole_already_needs_no_byte(thing, tmp_path):
    place = tmp_path / "cache" / "data" / "below"
    place.mkdir(parents=True)
    (place / "thing.bin.part").write_bytes(CONTENT)
    address = f"{thing.address}thing.bin"
    (place / "thing.bin.part.json").write_text(json.dumps([address, thing.etag]))
    assert fetch("thing")[0].read_bytes() == CONTENT
    assert thing.asked == [("/thing.bin", "bytes=1000000-")]


def test_a_wrong_hash_is_refused_and_the_file_removed(thing, tmp_path):
    thing.files["/thing.bin"] = CONTENT[:-1] + b"?"
    with pytest.raises(OSError, match=r"is not the published thing.bin: its sha256 is .* removed"):
        fetch("thing")
    assert not list((tmp_path / "cache" / "data" / "below").iterdir())


def test_the_next_address_is_tried(thing, monkeypatch):
    nowhere = f"{thing.address}nowhere/"
    monkeypatch.setitem(
        REMOTES, "thing", REMOTES["thing"]._replace(addresses=(nowhere, thing.address))
    )
    assert fetch("thing")[0].read_bytes() == CONTENT
    with pytest.raises(OSError, match=r"nowhere/thing.bin cannot be fetched: 404 not here"):
        fetch("thing", folder=fetch("thing")[0].parent / "else", addresses=[nowhere])


def test_without_a_network_it_says_what_to_put_where(server, monkeypatch, tmp_path):
    monkeypatch.setitem(
        REMOTES, "mnist", REMOTES["mnist"]._replace(addresses=("http://127.0.0.1:1/",))
    )
    with pytest.raises(OSError, match=r"cannot be reached.*train-images-idx3-ubyte.gz.*mnist") as e:
        fetch("mnist")
    assert str(tmp_path / "cache" / "data" / "mnist") in str(e.value)
    assert "GORDIUM_ADDRESSES" in str(e.value)


def test_addresses_of_the_users_go_first(thing, tmp_path, monkeypatch):
    thing.files["/own/thing.bin"] = CONTENT
    own = tmp_path / "own.json"
    own.write_text(json.dumps({"thing": f"{thing.address}own/"}))
    monkeypatch.setenv("GORDIUM_ADDRESSES", str(own))
    fetch("thing")
    assert thing.asked == [("/own/thing.bin", None)]
    own.write_text(json.dumps({"thing": 3}))
    with pytest.raises(ValueError, match=r"own.json, which GORDIUM_ADDRESSES names, must be like"):
        fetch("thing", folder=tmp_path)


@pytest.mark.parametrize("address", ["file:///etc/", "ftp://example.org/", "thing.bin"])
def test_other_kinds_of_address_are_refused(thing, address, tmp_path):
    with pytest.raises(OSError, match="must start with http"):
        fetch("thing", addresses=[address], folder=tmp_path)


def test_a_fetched_set_is_found_by_its_loader(server, monkeypatch):
    images = np.random.default_rng(0).integers(256, size=(20, 28, 28), dtype=np.uint8)
    digests = {}
    for part in ("train", "t10k"):
        for kind, values in (("images-idx3", images), ("labels-idx1", np.arange(20) % 10)):
            sizes = b"".join(n.to_bytes(4, "big") for n in values.shape)
            plain = bytes([0, 0, 8, values.ndim]) + sizes + values.astype(np.uint8).tobytes()
            digests[f"{part}-{kind}-ubyte"] = hashlib.md5(plain).hexdigest()
            server.files[f"/{part}-{kind}-ubyte.gz"] = gzip.compress(plain)
    monkeypatch.setattr(MNIST, "digests", digests)
    remote = _addresses._idx(MNIST, server.address)
    monkeypatch.setitem(REMOTES, "mnist", remote)
    with pytest.raises(FileNotFoundError, match="`gordium datasets fetch` gets it"):
        load_dataset("mnist")
    fetch("mnist")
    assert np.array_equal(load_dataset("mnist").images(np.arange(20))[:, 0], images)


def test_every_set_that_is_read_from_files_can_be_fetched_or_says_why_not(server):
    for name in ("dsprites", "shapes3d", "cars3d", "smallnorb", "mnist", "fashion-mnist"):
        assert name in REMOTES
    with pytest.raises(ValueError, match=r"has no public address.*face_renders.pth"):
        fetch("faces3d")
    with pytest.raises(ValueError, match="nothing to fetch for 'synthetic-linear'"):
        fetch("synthetic-linear")
    assert set(REMOTES) <= set(DATASETS)


def tar(members, mode="w:gz"):
    """An archive of (name, content) pairs; a content that is a string is a link's target."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode=mode) as file:
        for name, content in members:
            info = tarfile.TarInfo(name)
            if isinstance(content, str):
                info.type, info.linkname = tarfile.SYMTYPE, content
                file.addfile(info)
            else:
                info.size = len(content)
                file.addfile(info, io.BytesIO(content))
    return stream.getvalue()


def zipped(members):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in members:
            file.writestr(name, content)
    return stream.getvalue()


@pytest.mark.parametrize(("name", "pack"), [("all.zip", zipped), ("all.tar.gz", tar)])
def test_files_come_out_of_an_archive(name, pack, thing):
    thing.files[f"/{name}"] = pack([("readme", b"hello"), ("deep/down/thing.bin", CONTENT)])
    (path,) = fetch("thing", addresses=[f"{thing.address}{name}"])
    assert path.read_bytes() == CONTENT
    assert [file.name for file in path.parent.iterdir()] == ["thing.bin"]


def test_the_order_of_files_in_an_archive_does_not_matter(thing, monkeypatch):
    names = ("b.bin", "a.bin")
    digests = [hashlib.sha256(name.encode()).hexdigest() for name in names]
    wanted = tuple(OfficialFile(n, "sha256", d) for n, d in zip(names, digests, strict=True))
    monkeypatch.setitem(REMOTES, "thing", REMOTES["thing"]._replace(files=wanted))
    thing.files["/all.zip"] = zipped([(name, name.encode()) for name in sorted(names)])
    paths = fetch("thing", addresses=[f"{thing.address}all.zip"])
    assert [path.name for path in paths] == list(names)
    assert [path.read_text() for path in paths] == list(names)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.tar.gz", tar([("../thing.bin", CONTENT)]), "outside of itself: it is refused"),
        ("a.tar.gz", tar([("/tmp/thing.bin", CONTENT)]), "outside of itself: it is refused"),
        ("a.zip", zipped([("../../thing.bin", CONTENT)]), "outside of itself: it is refused"),
        ("a.zip", zipped([("..\\thing.bin", CONTENT)]), "outside of itself: it is refused"),
        ("a.zip", zipped([("C:\\thing.bin", CONTENT)]), "outside of itself: it is refused"),
        ("a.tar.gz", tar([("thing.bin", "/etc/passwd")]), "is a link and not a file"),
        ("a.zip", zipped([("other", CONTENT)]), "has no thing.bin in it"),
        ("a.tar.gz", tar([("thing.bin", CONTENT)])[:5000], "cannot be read"),
        ("a.zip", zipped([("thing.bin", CONTENT)])[:5000], "cannot be read"),
        ("a.zip", b"no archive at all", "cannot be read"),
        ("a.tar", b"no archive at all", "cannot be read"),
        ("a.zip", zipped([("x", bytes(1 << 20)), ("thing.bin", b"1")]), "unpacks to over"),
        ("a.tar.gz", tar([("x", bytes(1 << 20)), ("thing.bin", b"1")]), "unpacks to over"),
    ],
)
def test_a_bad_archive_is_refused_and_leaves_nothing(
    name, content, message, thing, tmp_path, monkeypatch
):
    monkeypatch.setattr(archives, "ALLOWED", 1 << 16)
    thing.files[f"/{name}"] = content
    with pytest.raises(OSError, match=message):
        fetch("thing", addresses=[f"{thing.address}{name}"], folder=tmp_path / "out")
    assert not [path for path in (tmp_path / "out").rglob("*") if path.is_file()]
    assert not list(tmp_path.glob("thing.bin"))


def test_a_zip_that_lies_about_its_size_is_refused(tmp_path):
    content = bytearray(zipped([("thing.bin", bytes(100_000))]))
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        size = file.infolist()[0].file_size
    lying = bytes(content).replace(size.to_bytes(4, "little"), (10).to_bytes(4, "little"))
    path = tmp_path / "a.zip"
    path.write_bytes(lying)
    with pytest.raises(ValueError, match="cannot be read"):
        archives.unpack(path, tmp_path / "out", ["thing.bin"])
    assert not (tmp_path / "out" / "thing.bin").exists()


def test_a_packed_file_that_unpacks_without_end_is_refused(thing, monkeypatch):
    bomb = gzip.compress(bytes(1 << 21))
    wanted = OfficialFile("thing.bin", UNPACKED, "0")
    monkeypatch.setitem(REMOTES, "thing", REMOTES["thing"]._replace(files=(wanted,)))
    monkeypatch.setattr("gordium.datasets.readers.digests.MOST_UNPACKED", 1 << 20)
    thing.files["/thing.bin"] = bomb
    with pytest.raises(OSError, match="unpacks to over 1,048,576 bytes: it is refused"):
        fetch("thing")


def test_a_server_that_never_stops_is_stopped(thing, monkeypatch):
    monkeypatch.setattr(download, "MOST_BYTES", 1000)
    with pytest.raises(OSError, match="at most 1,000 are read"):
        fetch("thing")


def test_the_command_fetches_and_explains(thing, monkeypatch):
    from typer.testing import CliRunner

    from gordium.cli.datasets import app

    monkeypatch.setitem(DATASETS, "thing", MNIST)
    done = CliRunner().invoke(app, ["fetch", "thing", "--from", thing.address])
    assert done.exit_code == 0
    assert "thing.bin is there" in done.output.replace("\n", "")
    done = CliRunner().invoke(app, ["fetch", "faces3d"])
    assert done.exit_code == 1
    assert "error: the file of faces3d has no public address" in done.output
    assert "Did you mean mnist" in CliRunner().invoke(app, ["fetch", "mnits"]).output
